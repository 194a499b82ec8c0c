import { KeyedSemaphore } from '../database/keyed-semaphore.js';

/** Operations of internal GraphQL that one process works on. */
export const maxConcurrentOperations = 500;

/** Each takes some hundred milliseconds and megabytes. */
const largeBodyLimits = { maxConcurrent: 2, waiting: 20, maxWaitMs: 5_000 };

/** Makes what lets two bodies of more than a megabyte be worked on at once. */
export function createLargeBodyLimit(): () => Promise<() => void> {
  const semaphore = new KeyedSemaphore(largeBodyLimits);
  return () => semaphore.acquire('body');
}
