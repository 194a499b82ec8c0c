import type { ExportOptions, Tracing } from './tracing.js';
import type { MetricsExporter, MetricsExportOptions } from './metrics-exporter.js';

/**
 * Loads OpenTelemetry, if its variables name a collector (`OTEL_EXPORTER_OTLP_ENDPOINT`).
 * @returns undefined if tracing is off; no package is loaded then
 */
export async function openTracing(options: ExportOptions): Promise<Tracing | undefined> {
  if (!hasCollector(options.environment, 'TRACES')) return undefined;
  const { OpenTelemetry } = await import('./open-telemetry.js');
  return new OpenTelemetry(options);
}

const defaultIntervalMs = 60_000;
/** With more, timers of Node fire immediately. */
const maxIntervalMs = 2 ** 31 - 1;

/**
 * Loads the exporter of OpenTelemetry, if its variables name a collector for metrics.
 * @returns undefined if the export is off; no package is loaded then
 */
export async function openMetricsExport(
  options: MetricsExportOptions,
): Promise<MetricsExporter | undefined> {
  const { environment, onError } = options;
  if (!hasCollector(environment, 'METRICS')) return undefined;
  const text = environment['OTEL_METRIC_EXPORT_INTERVAL'] || String(defaultIntervalMs);
  const isInterval = /^[1-9]\d*$/.test(text) && Number(text) <= maxIntervalMs;
  if (!isInterval) {
    onError(
      `OTEL_METRIC_EXPORT_INTERVAL must be whole milliseconds, from 1 to ${maxIntervalMs}; using ${defaultIntervalMs}`,
    );
  }
  const exporter = await import('./metrics-exporter.js');
  return new exporter.MetricsExporter(options, isInterval ? Number(text) : defaultIntervalMs);
}

/** What is exported. */
type Signal = 'TRACES' | 'METRICS';

/** Whether the variables `OTEL_*` name a collector for the signal, and do not disable it. */
export function hasCollector(
  environment: Readonly<Record<string, string | undefined>>,
  signal: Signal,
): boolean {
  const endpoint =
    environment[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`] ||
    environment['OTEL_EXPORTER_OTLP_ENDPOINT'];
  const exporters = (environment[`OTEL_${signal}_EXPORTER`] || 'otlp').split(',');
  const isDisabled = environment['OTEL_SDK_DISABLED']?.toLowerCase() === 'true';
  return (
    Boolean(endpoint) && !isDisabled && exporters.some((exporter) => exporter.trim() === 'otlp')
  );
}
