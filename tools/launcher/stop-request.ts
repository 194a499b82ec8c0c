/** Signals within this time count as one: Ctrl-C may arrive both from the terminal and from npm. */
const duplicateRequestMs = 1_000;

/** Requests to stop this process. */
export interface StopRequest {
  /** Aborted at the first request. */
  readonly signal: AbortSignal;
  /** Resolves at the first request. */
  readonly requested: Promise<void>;
  /** Aborted at a request at least 1 s after the first. */
  readonly forced: AbortSignal;
}

/** Listens for SIGINT (Ctrl-C), SIGTERM and SIGHUP until this process ends. */
export function listenForStop(): StopRequest {
  const controller = new AbortController();
  const force = new AbortController();
  let requestedAt = -Infinity;
  const requested = new Promise<void>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(name, () => {
        const now = performance.now();
        if (!controller.signal.aborted) requestedAt = now;
        else if (now - requestedAt >= duplicateRequestMs) force.abort();
        controller.abort();
        resolve();
      });
    }
  });

  return {
    signal: controller.signal,
    requested,
    forced: force.signal,
  };
}
