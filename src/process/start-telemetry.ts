import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { processEnvironment } from '../config/config.js';
import type { MetricReading } from '../telemetry/metric-reading.js';
import { openMetricsExport, openTracing } from '../telemetry/open-exporters.js';
import type { ServiceName, Tracing } from '../telemetry/tracing.js';
import type { Lifecycle } from './lifecycle.js';
import type { Logger } from './log.js';

/** What telemetry needs from its process. */
interface TelemetryOptions {
  readonly log: Pick<Logger, 'warn'>;
  readonly lifecycle: Pick<Lifecycle, 'onStop'>;
  readonly metrics: { read(): Promise<readonly MetricReading[]> };
}

/**
 * Exports traces and metrics as the variables of OpenTelemetry say, until the process stops.
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
