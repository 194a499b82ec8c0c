import { authenticate, type AuthFailure, type Viewer } from '../domain/account/credentials.js';
import { hashToken, isTestToken, hasTokenFormat } from '../domain/account/token.js';
import type { Read } from '../domain/tx.js';
import { LookupLimit, LookupLimitExceeded } from './lookup-limit.js';
import { ApiError } from './problem.js';
import { subnetOf } from './subnet.js';
import { TokenCache } from './token-cache.js';

export interface AuthenticatorOptions {
  /** Requests per minute of one account. The limit of failed look-ups per address derives from it. */
  readonly perMinute: number;
  /**
   * Waits for one of the few slots for look-ups of unknown tokens.
   * @returns releases the slot
   */
  readonly acquireSlot: () => Promise<() => void>;
  readonly now?: () => number;
  readonly wait?: (ms: number) => Promise<unknown>;
}

/** Failed look-ups that one address may cause at once, as a share of an account's requests per minute. */
const burstShare = 0.1;
const maxWaitMs = 1_000;
const knownTtlMs = 24 * 3_600_000;
const refusedTtlMs = 60_000;
const maxKnown = 20_000;
const maxRefused = 10_000;

/**
 * Finds the holder of a token:
 * - A token found valid within a day is looked up without limit, and each time. The cache only says
 *   that it is known, never that it is still valid.
 * - An unknown token waits for one of a few slots. An address with too many failed look-ups is
 *   limited to a rate.
 * - A token refused within the last minute is not looked up.
 */
export class Authenticator {
  readonly #acquireSlot: AuthenticatorOptions['acquireSlot'];
  readonly #limit: LookupLimit;
  readonly #known: TokenCache<true>;
  readonly #refused: TokenCache<AuthFailure>;
  /** Look-ups of unknown tokens in progress. Requests with the same token share one. */
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
   * @throws ApiError rate_limit_exceeded
   * @throws SemaphoreRejected when no slot becomes free in time
   */
  async authenticate(read: Read, address: string, token: string): Promise<Viewer | AuthFailure> {
    const hash = hashToken(token);
    // Test tokens and text that cannot be a token need no query.
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
        // Other look-ups of this address may have failed while this one waited for its slot.
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

/** Sends no rate-limit headers: they state the quota of an account, and here no account is known. */
function toApiError(error: unknown): never {
  if (!(error instanceof LookupLimitExceeded)) throw error;
  const detail = 'Too many invalid credentials from this address. Retry later.';
  throw new ApiError('rate_limit_exceeded', detail, {
    headers: { 'Retry-After': String(error.retryAfterSeconds) },
  });
}
