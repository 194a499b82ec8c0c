import {
  authenticate,
  type Authenticated,
  type AuthFailure,
  type Viewer,
} from '../domain/account/credentials.js';
import { hashToken, refusalByFormat } from '../domain/account/token.js';
import type { Read } from '../domain/tx.js';
import { LookupLimit, LookupLimitExceeded } from './lookup-limit.js';
import { ApiError } from './problem.js';
import { subnetOf } from './subnet.js';
import { TokenCache } from './token-cache.js';

/** How tokens of one sort are found. */
export interface TokenLookUp {
  /**
   * @param hash that of `token`
   * @param isUse whether the look-up counts as use of what the token opens
   */
  readonly find: (
    read: Read,
    token: string,
    hash: Buffer,
    isUse: boolean,
  ) => Promise<Authenticated | AuthFailure>;
  /** Why a token is refused without a look-up; undefined when it needs one. */
  readonly refuseFormat: (token: string) => AuthFailure | undefined;
}

export interface AuthenticatorOptions {
  /** Requests per minute of one account. The limit of failed look-ups per address derives from it. */
  readonly perMinute: number;
  /**
   * Waits for one of the few slots for look-ups of unknown tokens.
   * @returns releases the slot
   */
  readonly acquireSlot: () => Promise<() => void>;
  /** Defaults to bearer tokens. */
  readonly lookUp?: TokenLookUp;
  readonly now?: () => number;
  readonly wait?: (ms: number) => Promise<unknown>;
}

/** Failed look-ups that one address may cause at once, as a share of an account's requests per minute. */
const burstShare = 0.1;
const maxWaitMs = 1_000;
/** The contract promises that no process keeps a viewer for longer. */
const viewerTtlMs = 1_000;
/** Later requests do not wait behind a look-up whose connection hangs. */
const sharedForMs = 100;
const knownTtlMs = 24 * 3_600_000;
const refusedTtlMs = 60_000;
const maxKnown = 20_000;
const maxRefused = 10_000;

/** What a look-up found. */
interface Known {
  readonly viewer: Viewer;
  /** Until then the viewer needs no look-up, unless {@link Authenticator.invalidate} is called. */
  readonly freshUntil: number;
  readonly generation: number;
  /** Whether the look-up counted as use. One that did not serves no request that does. */
  readonly isUse: boolean;
}

/** A look-up in progress. */
interface LookUp {
  readonly generation: number;
  readonly isUse: boolean;
  /** Other requests with the token may share it until then. */
  readonly sharedUntil: number;
  readonly found: Promise<Viewer | AuthFailure>;
}

/**
 * Finds the holder of a token:
 * - A viewer is kept for at most a second, and never past the token's expiry.
 * - A token found valid within a day is then looked up without limit.
 * - An unknown token waits for one of a few slots. An address with too many failed look-ups is
 *   limited to a rate.
 * - A token refused within the last minute is not looked up.
 */
export class Authenticator {
  readonly #acquireSlot: AuthenticatorOptions['acquireSlot'];
  readonly #tokens: TokenLookUp;
  readonly #limit: LookupLimit;
  readonly #known: TokenCache<Known>;
  readonly #refused: TokenCache<AuthFailure>;
  /** Requests with the same token share a look-up. */
  readonly #inFlight = new Map<string, LookUp>();
  readonly #now: () => number;
  /** Look-ups that began in an earlier generation may have read what has changed since. */
  #generation = 0;

  constructor({
    perMinute,
    acquireSlot,
    lookUp = { find: authenticate, refuseFormat: refusalByFormat },
    ...clock
  }: AuthenticatorOptions) {
    const burst = Math.max(1, Math.round(perMinute * burstShare));
    this.#acquireSlot = acquireSlot;
    this.#tokens = lookUp;
    this.#now = clock.now ?? (() => performance.now());
    this.#limit = new LookupLimit({ burst, perMinute, maxWaitMs, ...clock });
    this.#known = new TokenCache({ ttlMs: knownTtlMs, maxEntries: maxKnown, ...clock });
    this.#refused = new TokenCache({ ttlMs: refusedTtlMs, maxEntries: maxRefused, ...clock });
  }

  /**
   * @param address of the client
   * @param isUse whether the request counts as use of a session; not so the recheck of an open stream
   * @throws ApiError rate_limit_exceeded
   * @throws SemaphoreRejected when no slot becomes free in time
   */
  async authenticate(
    read: Read,
    address: string,
    token: string,
    isUse = true,
  ): Promise<Viewer | AuthFailure> {
    const malformed = this.#tokens.refuseFormat(token);
    if (malformed !== undefined) return malformed;
    const hash = hashToken(token);
    const key = hash.toString('latin1');
    const now = this.#now();
    const generation = this.#generation;
    const known = this.#known.get(key);
    const serves = (earlier: Known | LookUp | undefined) =>
      earlier?.generation === generation && (earlier.isUse || !isUse);
    if (known && serves(known) && now < known.freshUntil) return known.viewer;
    const refused = this.#refused.get(key);
    if (refused !== undefined) return refused;
    const shared = this.#inFlight.get(key);
    if (shared && serves(shared) && now < shared.sharedUntil) return shared.found;
    const lookUp = () => this.#lookUp(read, key, token, hash, isUse);
    const mine: LookUp = {
      generation,
      isUse,
      sharedUntil: known ? now + sharedForMs : Infinity,
      found: known ? lookUp() : this.#lookUpWithinLimit(subnetOf(address), lookUp),
    };
    this.#inFlight.set(key, mine);
    try {
      return await mine.found;
    } finally {
      if (this.#inFlight.get(key) === mine) this.#inFlight.delete(key);
    }
  }

  /** Drops every viewer that it keeps: a credential or a role has changed. */
  invalidate(): void {
    this.#generation += 1;
  }

  async #lookUp(
    read: Read,
    key: string,
    token: string,
    hash: Buffer,
    isUse: boolean,
  ): Promise<Viewer | AuthFailure> {
    // PostgreSQL reads the row later, so the viewer is dropped too early rather than too late.
    const startedAt = this.#now();
    const generation = this.#generation;
    const found = await this.#tokens.find(read, token, hash, isUse);
    if (typeof found === 'string') {
      this.#known.delete(key);
      this.#refused.set(key, found);
      return found;
    }
    const { viewer, validForMs } = found;
    const freshUntil = startedAt + Math.min(viewerTtlMs, validForMs);
    this.#known.set(key, { viewer, freshUntil, generation, isUse });
    return viewer;
  }

  async #lookUpWithinLimit(
    address: string,
    lookUp: () => Promise<Viewer | AuthFailure>,
  ): Promise<Viewer | AuthFailure> {
    for (;;) {
      const counted = await this.#limit.admit(address).catch(refuseLookup);
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
function refuseLookup(error: unknown): never {
  if (!(error instanceof LookupLimitExceeded)) throw error;
  const detail = 'Too many invalid credentials from this address. Retry later.';
  throw new ApiError('rate_limit_exceeded', detail, {
    retryAfterSeconds: error.retryAfterSeconds,
  });
}
