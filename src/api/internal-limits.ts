import { KeyedSemaphore } from '../database/keyed-semaphore.js';

/** Internal GraphQL operations in progress per process, at most. */
export const maxConcurrentOperations = 500;

/** A large body takes some hundred milliseconds and megabytes. */
const largeBodyLimits = { maxConcurrent: 2, waiting: 20, maxWaitMs: 5_000 };

/** Makes the semaphore that admits two bodies of more than a megabyte at once. */
export function createLargeBodyLimit(): () => Promise<() => void> {
  const semaphore = new KeyedSemaphore(largeBodyLimits);
  return () => semaphore.acquire('body');
}
