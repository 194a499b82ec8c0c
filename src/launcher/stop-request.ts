/** Somebody wants the launcher to stop. */
export interface StopRequest {
  /** Aborted at the first request; ends what waits. */
  readonly signal: AbortSignal;
  /** Resolves at the first request. */
  readonly asked: Promise<void>;
  /** Called at every request after the first. */
  onImpatience(listener: () => void): void;
}

/** Listens for Ctrl-C, SIGTERM and the end of the terminal for the rest of this process. */
export function listenForStop(): StopRequest {
  const controller = new AbortController();
  const impatient: (() => void)[] = [];
  const asked = new Promise<void>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(name, () => {
        if (controller.signal.aborted) for (const listener of impatient) listener();
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
