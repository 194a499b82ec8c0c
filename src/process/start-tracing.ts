import { processEnvironment } from '../config/config.js';
import { openTracing } from '../telemetry/open-tracing.js';
import type { Tracing, TracingOptions } from '../telemetry/tracing.js';
import type { Lifecycle } from './lifecycle.js';
import type { Logger } from './log.js';

/** Starts tracing as the variables of OpenTelemetry say, until the process stops. */
export async function startTracing(
  service: TracingOptions['service'],
  log: Pick<Logger, 'warn'>,
  lifecycle: Pick<Lifecycle, 'onStop'>,
): Promise<Tracing | undefined> {
  const onError = (reason: string) => log.warn({ reason }, 'could not export traces');
  const tracing = await openTracing({ environment: processEnvironment, service, onError });
  if (tracing) lifecycle.onStop('traces', () => tracing.close());
  return tracing;
}
