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
  /** Token to the end of its lease, in milliseconds of the clock. */
  readonly #ambiguous = new Map<number, number>();

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
   * not found is tried again until its lease ends.
   * @returns the number of pending deliveries released
   */
  async release(): Promise<number> {
    if (this.#ambiguous.size === 0) return 0;
    const now = this.#clock.now();
    let released: readonly ReleasedClaim[];
    try {
      released = await this.#options.release([...this.#ambiguous.keys()]);
    } catch (error) {
      // A retry cannot recover from this error, so expired tokens need no further release.
      if (!this.#options.mayHaveClaimed(error)) this.#dropExpired(now);
      throw error;
    }
    for (const { token } of released) this.#ambiguous.delete(token);
    this.#dropExpired(now);
    return released.reduce((sum, { pendingDeliveries }) => sum + pendingDeliveries, 0);
  }

  #dropExpired(now = this.#clock.now()): void {
    for (const [token, until] of this.#ambiguous) if (until <= now) this.#ambiguous.delete(token);
  }

  #remember(token: number): void {
    // The first claims to fail were running when the connection broke; later ones hardly reached the server.
    if (this.#ambiguous.size >= maxRemembered) return;
    this.#ambiguous.set(token, this.#clock.now() + this.#options.leaseMs);
  }
}
