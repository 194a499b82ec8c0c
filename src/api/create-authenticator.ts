import { KeyedSemaphore } from '../database/keyed-semaphore.js';
import { Authenticator } from './authenticator.js';

/** Look-ups of tokens that are not known: they never take the connections of those that are. */
const unknownTokenLimits = { maxConcurrent: 2, waiting: 1_000, maxWaitMs: 1_000 };

/** The {@link Authenticator} of a process, for both of its doors. */
export function createAuthenticator(perMinute: number): Authenticator {
  const unknownTokens = new KeyedSemaphore(unknownTokenLimits);
  return new Authenticator({
    perMinute,
    acquireSlot: () => unknownTokens.acquire('unknown tokens'),
  });
}
