/** What the parts of a worker measure and wait with; a simulation brings one of its own. */
export interface Clock {
  /** Milliseconds that never go back; no time of day. */
  now(): number;
  /**
   * Begins `work` in `ms` milliseconds.
   * @returns calls it off, if it has not begun
   */
  after(ms: number, work: () => void): () => void;
}

/** The clock of this process. */
export const processClock: Clock = {
  now: () => performance.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

/** Resolves when `ms` milliseconds have passed by `clock`, or as soon as `signal` aborts. */
export function delay(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const end = () => {
      cancelTimer();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancelTimer = clock.after(ms, end);
    signal?.addEventListener('abort', end);
  });
}
