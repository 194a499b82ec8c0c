import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';

/** Returns the attributes of this process. `OTEL_RESOURCE_ATTRIBUTES` takes precedence. */
export function resourceOf({
  service,
  instance,
}: {
  readonly service: string;
  readonly instance: string;
}): Resource {
  const attributes = { 'service.name': service, 'service.instance.id': instance };
  return defaultResource()
    .merge(resourceFromAttributes(attributes))
    .merge(detectResources({ detectors: [envDetector] }));
}

const reportEveryMs = 60_000;
const maxReasonLength = 300;

/** Reports at most one message per minute and drops the others. */
export function onceAMinute(report: (message: string) => void): (message: string) => void {
  let reportedAt = -Infinity;
  return (message) => {
    if (performance.now() - reportedAt < reportEveryMs) return;
    reportedAt = performance.now();
    report(message);
  };
}

/** Returns why an export failed, without the response of the collector, which may repeat secret headers. */
export function shortReason({ name, code, message }: FailureOfExport): string {
  const reason = [name, code, message].filter((part) => part !== undefined).join(' ');
  return reason.replace(/\/\/[^@\s/]*@/g, '//').slice(0, maxReasonLength);
}

interface FailureOfExport {
  readonly name?: string;
  readonly code?: string | number;
  readonly message?: string;
}

const closeMs = 2_000;

/** Waits for `close`, for at most two seconds. Its failures were already reported. */
export async function closeInTime(close: () => Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<void>((resolve) => (timer = setTimeout(resolve, closeMs)));
  await Promise.race([close().catch(() => undefined), tooLate]);
  clearTimeout(timer);
}
