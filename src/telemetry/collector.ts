/** What OpenTelemetry sends to a collector. */
type Signal = 'TRACES' | 'METRICS';

/**
 * Whether the variables of OpenTelemetry name a collector for the signal, and do not switch it off.
 * @param environment `OTEL_*` by name
 */
export function hasCollector(
  environment: Readonly<Record<string, string | undefined>>,
  signal: Signal,
): boolean {
  const endpoint =
    environment[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`] ||
    environment['OTEL_EXPORTER_OTLP_ENDPOINT'];
  const exporters = (environment[`OTEL_${signal}_EXPORTER`] || 'otlp').split(',');
  const isDisabled = environment['OTEL_SDK_DISABLED']?.toLowerCase() === 'true';
  return Boolean(endpoint) && !isDisabled && exporters.some((each) => each.trim() === 'otlp');
}
