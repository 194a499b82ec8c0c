import { hasCollector } from './collector.js';
import type { ExportOptions, Tracing } from './tracing.js';

/**
 * Loads OpenTelemetry, if its variables name a collector (`OTEL_EXPORTER_OTLP_ENDPOINT`).
 * @returns undefined when tracing is off; nothing of it is loaded then
 */
export async function openTracing(options: ExportOptions): Promise<Tracing | undefined> {
  if (!hasCollector(options.environment, 'TRACES')) return undefined;
  const { OpenTelemetry } = await import('./open-telemetry.js');
  return new OpenTelemetry(options);
}
