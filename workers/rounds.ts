import { setTimeout as pause } from 'node:timers/promises';

const jitter = 0.2;

/** Milliseconds to the next round, up to a fifth off `periodMs`: processes fall out of step. */
export function jittered(periodMs: number): number {
  return periodMs * (1 + jitter * (2 * Math.random() - 1));
}

/**
 * Lets `waitMs` pass.
 * @returns false when `stopping` ended it, or was over before
 */
export async function passed(waitMs: number, stopping: AbortSignal): Promise<boolean> {
  await pause(waitMs, undefined, { signal: stopping }).catch(() => undefined);
  return !stopping.aborted;
}
