import { setTimeout as pause } from 'node:timers/promises';
import type { BenchService } from './bench-service.js';

/** The processes may still be finishing what was caused before, such as the wake-up of the next second. */
const calmMs = 1_000;

/** Connections may have been closed since the last turn, and statements are planned again after a vacuum. */
const warmUpMs = 250;

/**
 * Leaves nothing of the last load that the next one would pay for: dead rows, old statistics, dirty pages.
 * @param warmUp runs the next load for some milliseconds
 */
export async function becomeCalm(
  { query }: Pick<BenchService, 'query'>,
  warmUp: (forMs: number) => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  await query('vacuum analyze');
  await query('checkpoint');
  await warmUp(warmUpMs);
  await pause(calmMs);
}
