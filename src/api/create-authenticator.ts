import { KeyedSemaphore } from '../database/keyed-semaphore.js';
import { Authenticator, type TokenLookUp } from './authenticator.js';

/** Limits look-ups of unknown tokens, so that they cannot take the connections that known tokens need. */
const unknownTokenLimits = { maxConcurrent: 2, waiting: 1_000, maxWaitMs: 1_000 };

/**
 * Makes the {@link Authenticator} that both listeners of a process share.
 * @param lookUp defaults to bearer tokens
 */
export function createAuthenticator(perMinute: number, lookUp?: TokenLookUp): Authenticator {
  const unknownTokens = new KeyedSemaphore(unknownTokenLimits);
  return new Authenticator({
    perMinute,
    ...(lookUp && { lookUp }),
    acquireSlot: () => unknownTokens.acquire('unknown tokens'),
  });
}
