import { type Clock, delay, processClock } from './clock.js';

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
