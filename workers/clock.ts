/** Measures time and waits; the simulation replaces it. */
export interface Clock {
  /** Milliseconds that never go back; not the time of day. */
  now(): number;
  /**
   * Starts `work` in `ms` milliseconds.
   * @returns a function that cancels `work` unless it has started
   */
  after(ms: number, work: () => void): () => void;
}

/** The monotonic clock and the timers of this process. */
export const processClock: Clock = {
  now: () => performance.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms` milliseconds of `clock`, or as soon as `signal` aborts. */
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

const jitterRatio = 0.2;

/** `periodMs` milliseconds give or take at most a fifth, so that processes do not act in step. */
export function jittered(periodMs: number, random = Math.random): number {
  return periodMs * (1 + jitterRatio * (2 * random() - 1));
}

/**
 * Waits `waitMs` milliseconds.
 * @returns false when `stopping` has aborted, before or meanwhile
 */
export async function delayUnlessStopped(
  waitMs: number,
  stopping: AbortSignal,
  clock: Clock = processClock,
): Promise<boolean> {
  await delay(clock, waitMs, stopping);
  return !stopping.aborted;
}
