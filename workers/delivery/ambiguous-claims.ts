import { claimToken } from '../../src/domain/delivery/sql/claimer.js';
import type { ReleasedClaim } from '../../src/domain/delivery/sql/release-ambiguous.js';
import { type Clock, processClock } from '../process/clock.js';

export interface AmbiguousClaimsOptions {
  /** Releases everything claimed under these tokens. @returns the tokens that were found */
  readonly release: (tokens: readonly number[]) => Promise<readonly ReleasedClaim[]>;
  /** Whether a claim that failed with `error` may have run, or may still run. */
  readonly mayHaveClaimed: (error: unknown) => boolean;
  readonly leaseMs: number;
  /** Defaults to the process clock. */
  readonly clock?: Clock;
  /** Defaults to random tokens. */
  readonly makeToken?: () => number;
}

/** Tokens remembered, at most; the leases of further ambiguous claims expire. */
const maxRemembered = 1_000;

/**
 * Claims whose result never arrived. The process sent nothing under them, so it releases them; otherwise
 * they would count as interrupted. It chooses the tokens itself, so it knows what to release.
 */
export class AmbiguousClaims {
  readonly #options: AmbiguousClaimsOptions;
  readonly #clock: Clock;
  /**
   * Token to when its lease is over, in milliseconds of the clock. Undefined until PostgreSQL has answered:
   * if it paused, it executes the claim when it continues, and the lease begins then.
   */
  readonly #ambiguous = new Map<number, number | undefined>();

  constructor(options: AmbiguousClaimsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? processClock;
  }

  /** Runs `claim` with a new token, and remembers it if the result is lost. @throws what `claim` throws */
  async claim<Claimed>(claim: (token: number) => Promise<Claimed>): Promise<Claimed> {
    const { mayHaveClaimed, makeToken = claimToken } = this.#options;
    const token = makeToken();
    try {
      return await claim(token);
    } catch (error) {
      if (mayHaveClaimed(error)) this.#remember(token);
      throw error;
    }
  }

  /**
   * Releases ambiguous claims. A statement may still run after its connection broke, so a token that was
   * not found is tried again for as long as a lease lasts.
   * @returns the number of pending deliveries released
   */
  async release(): Promise<number> {
    if (this.#ambiguous.size === 0) return 0;
    const tokens = [...this.#ambiguous.keys()];
    let released: readonly ReleasedClaim[];
    try {
      released = await this.#options.release(tokens);
    } catch (error) {
      if (this.#options.mayHaveClaimed(error)) this.#keep(tokens);
      // A retry cannot recover from this error, so expired tokens need no further release.
      else this.#dropExpired(tokens);
      throw error;
    }

    for (const { token } of released) this.#ambiguous.delete(token);
    this.#dropExpired(tokens);
    return released.reduce((sum, { pendingDeliveries }) => sum + pendingDeliveries, 0);
  }

  /** PostgreSQL did not answer. */
  #keep(tokens: readonly number[]): void {
    for (const token of tokens) {
      if (this.#ambiguous.has(token)) this.#ambiguous.set(token, undefined);
    }
  }

  /** PostgreSQL answered. Those of `tokens` that are still here were not released. */
  #dropExpired(tokens: readonly number[]): void {
    const now = this.#clock.now();
    for (const token of tokens) {
      if (!this.#ambiguous.has(token)) continue;
      const until = this.#ambiguous.get(token) ?? now + this.#options.leaseMs;
      if (until <= now) this.#ambiguous.delete(token);
      else this.#ambiguous.set(token, until);
    }
  }

  #remember(token: number): void {
    // The first claims to fail were running when the connection broke; later ones hardly reached the server.
    if (this.#ambiguous.size >= maxRemembered) return;
    this.#ambiguous.set(token, undefined);
  }
}
