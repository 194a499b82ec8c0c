import { authenticate, type AuthFailure, type Viewer } from '../domain/account/credentials.js';
import { hashToken, isTestToken, hasTokenFormat } from '../domain/account/token.js';
import type { Read } from '../domain/tx.js';
import { LookupLimit, LookupLimitExceeded } from './lookup-limit.js';
import { ApiError } from './problem.js';
import { subnetOf } from './subnet.js';
import { TokenCache } from './token-cache.js';

/** How {@link Authenticator} is made. */
export interface AuthenticatorOptions {
  /** Requests of one account (H95), which the look-ups in vain of an address are measured by. */
  readonly perMinute: number;
  /** Waits for a place among the few look-ups of unknown tokens at a time. @returns leaves it */
  readonly acquireSlot: () => Promise<() => void>;
  readonly now?: () => number;
  readonly wait?: (ms: number) => Promise<unknown>;
}

/** What one address may have looked up in vain at once, as a share of what an account may ask in a minute. */
const burstShare = 0.1;
const maxWaitMs = 1_000;
const knownTtlMs = 24 * 3_600_000;
const refusedTtlMs = 60_000;
const maxKnown = 20_000;
const maxRefused = 10_000;

/**
 * Finds out who holds a token (H95). Those that this process found valid within a day are looked up
 * without limit, and each time: the cache tells who is no stranger, never whether a token is valid
 * still. Unknown ones are looked up a few at a time, for an address with too many wrong ones at a
 * bounded rate; a token that was refused a moment ago is not looked up.
 */
export class Authenticator {
  readonly #acquireSlot: AuthenticatorOptions['acquireSlot'];
  readonly #limit: LookupLimit;
  readonly #known: TokenCache<true>;
  readonly #refused: TokenCache<AuthFailure>;
  /** Look-ups of unknown tokens under way: whoever comes with the same token waits for the same. */
  readonly #inFlight = new Map<string, Promise<Viewer | AuthFailure>>();

  constructor({ perMinute, acquireSlot, ...clock }: AuthenticatorOptions) {
    const burst = Math.max(1, Math.round(perMinute * burstShare));
    this.#acquireSlot = acquireSlot;
    this.#limit = new LookupLimit({ burst, perMinute, maxWaitMs, ...clock });
    this.#known = new TokenCache({ ttlMs: knownTtlMs, maxEntries: maxKnown, ...clock });
    this.#refused = new TokenCache({ ttlMs: refusedTtlMs, maxEntries: maxRefused, ...clock });
  }

  /**
   * @param address of the client
   * @throws Refused rate_limit_exceeded, TurnRefused
   */
  async authenticate(read: Read, address: string, token: string): Promise<Viewer | AuthFailure> {
    const hash = hashToken(token);
    // What cannot be a token asks nobody.
    if (isTestToken(token) || !hasTokenFormat(token)) return authenticate(read, token, hash);
    const key = hash.toString('latin1');
    const refused = this.#refused.get(key);
    if (refused !== undefined) return refused;
    const lookUp = async () => this.#remember(key, await authenticate(read, token, hash));
    if (this.#known.get(key)) return lookUp();
    let found = this.#inFlight.get(key);
    if (!found) {
      found = this.#lookUpWithinLimit(subnetOf(address), lookUp).finally(() =>
        this.#inFlight.delete(key),
      );
      this.#inFlight.set(key, found);
    }
    return found;
  }

  #remember(key: string, found: Viewer | AuthFailure): Viewer | AuthFailure {
    if (typeof found === 'string') {
      this.#known.delete(key);
      this.#refused.set(key, found);
    } else this.#known.set(key, true);
    return found;
  }

  async #lookUpWithinLimit(
    address: string,
    lookUp: () => Promise<Viewer | AuthFailure>,
  ): Promise<Viewer | AuthFailure> {
    for (;;) {
      const counted = await this.#limit.admit(address).catch(toApiError);
      const end = await this.#acquireSlot();
      try {
        // Others of this address may have been wrong while this one waited for its turn.
        if (!counted && this.#limit.isFull(address)) continue;
        const found = await lookUp();
        if (typeof found === 'string' && !counted) this.#limit.count(address);
        if (typeof found !== 'string' && counted) this.#limit.uncount(address);
        return found;
      } finally {
        end();
      }
    }
  }
}

/** No headers of a quota: those tell an account where it stands, and nobody knows whose this is. */
function toApiError(error: unknown): never {
  if (!(error instanceof LookupLimitExceeded)) throw error;
  const detail = 'Too many invalid credentials from this address. Retry later.';
  throw new ApiError('rate_limit_exceeded', detail, {
    headers: { 'Retry-After': String(error.retryAfterSeconds) },
  });
}
