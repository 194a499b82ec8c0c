import { setTimeout as pause, setInterval as everyMs } from 'node:timers/promises';

/**
 * Repeats `probe` until it does not throw, and returns its value. The limit only decides how soon a failure is
 * reported: it is long, so that no busy machine fails a test.
 * @throws Error after `limitMs`, with `what` and the last error of `probe`
 */
export async function eventually<T>(
  probe: () => T | Promise<T>,
  what: string,
  limitMs = 180_000,
): Promise<T> {
  const end = performance.now() + limitMs;
  for (let wait = 5; ; wait = Math.min(wait * 1.5, 200)) {
    try {
      return await probe();
    } catch (error) {
      if (performance.now() > end) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`Timed out after ${limitMs} ms: ${what} (${reason})`, { cause: error });
      }
      await pause(wait);
    }
  }
}

/** Paces the actions of a test, such as a fault every 500 ms. Never used to wait for a result. */
export const atIntervals = everyMs;

/** The result of {@link besideProbe}, with times in milliseconds. */
export interface BesideProbe<T> {
  readonly value: T;
  readonly tookMs: number;
  /** The slowest probe: what a step takes here and now, which is much on a busy machine. */
  readonly probeMs: number;
}

/** Runs `work` and meanwhile, again and again, a `probe` that nothing but the machine delays. */
export async function besideProbe<T>(
  probe: () => Promise<unknown>,
  work: () => Promise<T>,
): Promise<BesideProbe<T>> {
  const state = { isOver: false, probeMs: 0 };
  const probing = (async () => {
    for await (const { isOver } of atIntervals(50, state)) {
      if (isOver) return;
      const began = performance.now();
      await probe();
      state.probeMs = Math.max(state.probeMs, performance.now() - began);
    }
  })();

  const began = performance.now();
  const working = work().finally(() => (state.isOver = true));
  const [value, tookMs] = await Promise.all([
    working,
    working.then(() => performance.now() - began),
    probing,
  ]);
  return { value, tookMs, probeMs: state.probeMs };
}

/**
 * Returns the time to allow for a promise of `promisedMs`: on an idle machine 1.5 s more, on a busy one
 * several times what its slowest step took.
 */
export function allowedMs(promisedMs: number, { probeMs }: Pick<BesideProbe<unknown>, 'probeMs'>) {
  return promisedMs + 1_500 + 4 * probeMs;
}

/** Blocks this thread: no timer and no socket runs, as in a process that gets no processor. */
export function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
