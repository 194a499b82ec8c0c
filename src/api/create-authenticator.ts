import { KeyedSemaphore } from '../database/keyed-semaphore.js';
import { Authenticator } from './authenticator.js';

/** Limits look-ups of unknown tokens, so that they cannot take the connections that known tokens need. */
const unknownTokenLimits = { maxConcurrent: 2, waiting: 1_000, maxWaitMs: 1_000 };

/** Makes the {@link Authenticator} that both listeners of a process share. */
export function createAuthenticator(perMinute: number): Authenticator {
  const unknownTokens = new KeyedSemaphore(unknownTokenLimits);
  return new Authenticator({
    perMinute,
    acquireSlot: () => unknownTokens.acquire('unknown tokens'),
  });
}
