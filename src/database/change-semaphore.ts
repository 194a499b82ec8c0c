import { KeyedSemaphore } from './keyed-semaphore.js';

/** Per account, or per page. */
const maxConcurrentChanges = 2;
const maxWaitingChanges = 250;
const maxWaitMs = 5_000;

/**
 * Limits the changes of each account or page at a time, so that none waits behind the queue of another.
 * @param pool connections of this process; one account or page never takes all
 */
export function createChangeSemaphore(pool: number): KeyedSemaphore {
  const maxConcurrent = Math.max(1, Math.min(maxConcurrentChanges, pool - 1));
  return new KeyedSemaphore({ maxConcurrent, waiting: maxWaitingChanges, maxWaitMs });
}
