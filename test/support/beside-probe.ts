import { atIntervals } from './at-intervals.js';

/** What happened beside a probe, with times in milliseconds. */
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
 * What to allow for a promise of `promisedMs`: on an idle machine 1.5 s more, on a busy one several
 * times what its slowest step took.
 */
export function allowedMs(promisedMs: number, { probeMs }: Pick<BesideProbe<unknown>, 'probeMs'>) {
  return promisedMs + 1_500 + 4 * probeMs;
}
