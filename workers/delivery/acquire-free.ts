import type { Claim } from '../../src/domain/delivery/claim.js';
import type { BufferedClaim } from './claim-buffer.js';
import type { ConcurrencyLimiter } from './concurrency-limiter.js';

/**
 * Takes slots for claims that waited without any, as far as their endpoints have free ones.
 * @returns the claims with slots, and those of endpoints without a free one
 */
export function acquireFree(
  limiter: Pick<ConcurrencyLimiter, 'inFlight' | 'perEndpoint' | 'acquire'>,
  claims: readonly BufferedClaim[],
) {
  const inFlight = new Map(limiter.inFlight);
  const acquired: BufferedClaim[] = [];
  const full: Claim[] = [];
  for (const each of claims) {
    const { endpointId, accountId, url } = each.claim;
    const count = inFlight.get(endpointId) ?? 0;
    if (count >= limiter.perEndpoint) {
      full.push(each.claim);
      continue;
    }
    inFlight.set(endpointId, count + 1);
    limiter.acquire(endpointId, accountId, url);
    acquired.push(each);
  }
  return { acquired, full };
}
