import type { Tracing, TracingOptions } from './tracing.js';

/**
 * Loads OpenTelemetry, if its variables name a collector (`OTEL_EXPORTER_OTLP_ENDPOINT`).
 * @returns undefined when tracing is off; nothing of it is loaded then
 */
export async function openTracing(options: TracingOptions): Promise<Tracing | undefined> {
  const { environment } = options;
  const endpoint =
    environment['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || environment['OTEL_EXPORTER_OTLP_ENDPOINT'];
  const off =
    environment['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' ||
    environment['OTEL_TRACES_EXPORTER'] === 'none';
  if (!endpoint || off) return undefined;
  const { OpenTelemetry } = await import('./open-telemetry.js');
  return new OpenTelemetry(options);
}
