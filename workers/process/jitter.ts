import { type Clock, delay, processClock } from './clock.js';

const jitterRatio = 0.2;

/** Milliseconds to the next round, up to a fifth off `periodMs`: processes fall out of step. */
export function jittered(periodMs: number, random = Math.random): number {
  return periodMs * (1 + jitterRatio * (2 * random() - 1));
}

/**
 * Lets `waitMs` pass.
 * @returns false when `stopping` ended it, or was over before
 */
export async function delayUnlessStopped(
  waitMs: number,
  stopping: AbortSignal,
  clock: Clock = processClock,
): Promise<boolean> {
  await delay(clock, waitMs, stopping);
  return !stopping.aborted;
}
