/** One Ctrl-C may arrive twice, from the terminal and from npm. */
const duplicateRequestMs = 1_000;

/** Somebody wants the launcher to stop. */
export interface StopRequest {
  /** Aborted at the first request; ends what waits. */
  readonly signal: AbortSignal;
  /** Resolves at the first request. */
  readonly requested: Promise<void>;
  /** Called at every request a second or more after the first. */
  onForce(listener: () => void): void;
}

/** Listens for Ctrl-C, SIGTERM and the end of the terminal for the rest of this process. */
export function listenForStop(): StopRequest {
  const controller = new AbortController();
  const onForced: (() => void)[] = [];
  let requestedAt = -Infinity;
  const requested = new Promise<void>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(name, () => {
        const now = performance.now();
        if (!controller.signal.aborted) requestedAt = now;
        else if (now - requestedAt >= duplicateRequestMs)
          for (const listener of onForced) listener();
        controller.abort();
        resolve();
      });
    }
  });
  return {
    signal: controller.signal,
    requested,
    onForce: (listener) => void onForced.push(listener),
  };
}
