import { hasCollector } from './collector.js';
import type { MetricsExporter, MetricsExportOptions } from './metrics-exporter.js';

const defaultIntervalMs = 60_000;
/** Timers of Node end at once with more. */
const maxIntervalMs = 2 ** 31 - 1;

/**
 * Loads the exporter of OpenTelemetry, if its variables name a collector for metrics.
 * @returns undefined when the export is off; nothing of it is loaded then
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
