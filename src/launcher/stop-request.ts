/** One Ctrl-C may arrive twice, from the terminal and from npm. */
const sameRequestMs = 1_000;

/** Somebody wants the launcher to stop. */
export interface StopRequest {
  /** Aborted at the first request; ends what waits. */
  readonly signal: AbortSignal;
  /** Resolves at the first request. */
  readonly asked: Promise<void>;
  /** Called at every request a second or more after the first. */
  onImpatience(listener: () => void): void;
}

/** Listens for Ctrl-C, SIGTERM and the end of the terminal for the rest of this process. */
export function listenForStop(): StopRequest {
  const controller = new AbortController();
  const impatient: (() => void)[] = [];
  let askedAt = -Infinity;
  const asked = new Promise<void>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(name, () => {
        const now = performance.now();
        if (!controller.signal.aborted) askedAt = now;
        else if (now - askedAt >= sameRequestMs) for (const listener of impatient) listener();
        controller.abort();
        resolve();
      });
    }
  });
  return {
    signal: controller.signal,
    asked,
    onImpatience: (listener) => void impatient.push(listener),
  };
}
