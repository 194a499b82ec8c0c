import { readReplays, type ReplayResult } from '../domain/delivery/replay.js';
import { ReplayWaiters } from '../domain/delivery/replay-waiters.js';
import type { Read } from '../domain/tx.js';
import type { Logger } from './log.js';

/** From the end of an attempt until its result is stored. */
const outcomeMarginMs = 4_000;

/**
 * Makes what lets callers wait for the first attempt of a replay.
 * @param attemptMs how long one attempt can take
 */
export function createReplayWaiters(
  read: Read,
  attemptMs: number,
  log: Logger,
): ReplayWaiters<ReplayResult> {
  return new ReplayWaiters<ReplayResult>({
    findEnded: (pendingDeliveryIds) => readReplays(read, pendingDeliveryIds),
    limitMs: attemptMs + outcomeMarginMs,
    onError: (error) => log.warn({ err: error }, 'could not poll for ended replays'),
  });
}
