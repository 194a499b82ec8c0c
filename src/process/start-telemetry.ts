import { processEnvironment } from '../config/config.js';
import type { MetricReading } from '../telemetry/metric-reading.js';
import { openMetricsExport } from '../telemetry/open-metrics-export.js';
import { openTracing } from '../telemetry/open-tracing.js';
import type { ServiceName, Tracing } from '../telemetry/tracing.js';
import type { Lifecycle } from './lifecycle.js';
import type { Logger } from './log.js';
import { processName } from './process-name.js';

/** What telemetry needs of its process. */
interface TelemetryOptions {
  readonly log: Pick<Logger, 'warn'>;
  readonly lifecycle: Pick<Lifecycle, 'onStop'>;
  readonly metrics: { read(): Promise<readonly MetricReading[]> };
}

/**
 * Starts traces and the export of metrics as the variables of OpenTelemetry say, until the process
 * stops.
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
