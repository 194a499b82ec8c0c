// The traces and metrics of a process. The SDK of OpenTelemetry is loaded only if its variables name a
// collector; otherwise it costs neither memory nor time.
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { processEnvironment } from '../config/config.js';
import type { MetricReading, MetricsExporter, MetricsExportOptions } from './open-telemetry.js';
import type { ServiceName, Tracing, ExportOptions } from './tracing.js';
import type { Lifecycle } from './lifecycle.js';
import type { Logger } from './log.js';
import prom = require('prom-client');

interface TelemetryOptions {
  readonly log: Pick<Logger, 'warn'>;
  readonly lifecycle: Pick<Lifecycle, 'onStop'>;
  readonly metrics: { read(): Promise<readonly MetricReading[]> };
}

/**
 * Exports traces and metrics as the variables `OTEL_*` say, until the process stops.
 * @returns the name of the process in both
 */
export async function startTelemetry(
  service: ServiceName,
  { log, lifecycle, metrics }: TelemetryOptions,
): Promise<{ readonly instance: string; readonly tracing: Tracing | undefined }> {
  const instance = processName();
  const common = { environment: processEnvironment, service, instance };
  const tracing = await openTracing({
    ...common,
    onError: (reason) => log.warn({ reason }, 'could not export traces'),
  });

  if (tracing) lifecycle.onStop('traces', () => tracing.close());

  const exported = await openMetricsExport({
    ...common,
    startMs: performance.timeOrigin,
    read: () => metrics.read(),
    onError: (reason) => log.warn({ reason }, 'could not export metrics'),
  });

  if (exported) lifecycle.onStop('metrics', () => exported.close());

  return { instance, tracing };
}

/** Names this process; random digits distinguish processes with the same id in two containers. */
function processName(): string {
  return `${hostname()}/${process.pid}/${randomBytes(4).toString('hex')}`;
}

/**
 * Loads OpenTelemetry, if its variables name a collector (`OTEL_EXPORTER_OTLP_ENDPOINT`).
 * @returns undefined if tracing is off; no package is loaded then
 */
async function openTracing(options: ExportOptions): Promise<Tracing | undefined> {
  if (!hasCollector(options.environment, 'TRACES')) return undefined;
  const { OpenTelemetry } = await import('./open-telemetry.js');
  return new OpenTelemetry(options);
}

const defaultIntervalMs = 60_000;
/** Timers of Node fire immediately after a longer time. */
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
  const exporter = await import('./open-telemetry.js');
  return new exporter.MetricsExporter(options, isInterval ? Number(text) : defaultIntervalMs);
}

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

/**
 * Milliseconds between two samples of the event loop. Each sample wakes the process, and an idle one
 * hardly wakes for anything else. A pause that is shorter may fall between two samples.
 */
const eventLoopMonitoringPrecision = 200;

/** Collects the metrics of Node: memory, processor time, event loop, garbage collection. */
export function collectProcessMetrics(register: prom.Registry): void {
  prom.collectDefaultMetrics({ register, eventLoopMonitoringPrecision });
}
