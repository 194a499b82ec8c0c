const reportEveryMs = 60_000;
const maxReasonLength = 300;

/** Passes on one message a minute, and drops the others. */
export function onceAMinute(report: (message: string) => void): (message: string) => void {
  let reportedAt = -Infinity;
  return (message) => {
    if (performance.now() - reportedAt < reportEveryMs) return;
    reportedAt = performance.now();
    report(message);
  };
}

/** Says why an export failed, without the response of the collector: it may repeat headers of the request. */
export function shortReason({ name, code, message }: FailureOfExport): string {
  const reason = [name, code, message].filter((each) => each !== undefined).join(' ');
  return reason.replace(/\/\/[^@\s/]*@/g, '//').slice(0, maxReasonLength);
}

interface FailureOfExport {
  readonly name?: string;
  readonly code?: string | number;
  readonly message?: string;
}
