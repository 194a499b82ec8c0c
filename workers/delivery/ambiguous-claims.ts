import { claimToken } from '../../src/domain/delivery/sql/claimer.js';
import type { ReleasedClaim } from '../../src/domain/delivery/sql/release-ambiguous.js';
import { type Clock, processClock } from '../process/clock.js';

/** What {@link AmbiguousClaims} work with. */
export interface AmbiguousClaimsOptions {
  /** Gives back what was claimed under these tokens; tells those of which there was something. */
  readonly release: (tokens: readonly number[]) => Promise<readonly ReleasedClaim[]>;
  /** Whether a claim that failed with this may have been carried out, now or later. */
  readonly mayHaveClaimed: (error: unknown) => boolean;
  /** How long claims last. */
  readonly leaseMs: number;
  /** That of the process unless it is said. */
  readonly clock?: Clock;
  /** Tokens of chance unless it is said. */
  readonly makeToken?: () => number;
}

/** More than fail while a lease lasts; still more are left to the end of their leases. */
const maxRemembered = 1_000;

/**
 * Claims whose answers did not come: nothing was sent under them, so they are given back instead of
 * being left to count as interrupted. The process chooses the tokens, so it knows what to give back.
 */
export class AmbiguousClaims {
  readonly #options: AmbiguousClaimsOptions;
  readonly #clock: Clock;
  /** Until when each could still be found. */
  readonly #ambiguous = new Map<number, number>();

  constructor(options: AmbiguousClaimsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? processClock;
  }

  /** Claims under a token of its own, and remembers that when no answer comes. @throws what `claim` does */
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
   * Gives back what was claimed and not heard of. A statement whose connection broke may go on, so one
   * that was not found is looked for again for as long as a lease lasts.
   * @returns how many pending deliveries were given back
   */
  async release(): Promise<number> {
    if (this.#ambiguous.size === 0) return 0;
    const now = this.#clock.now();
    let released: readonly ReleasedClaim[];
    try {
      released = await this.#options.release([...this.#ambiguous.keys()]);
    } catch (error) {
      // Whatever it is, it will not pass by itself.
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
    // The first to fail was under way when the connection broke; later ones hardly got there.
    if (this.#ambiguous.size >= maxRemembered) return;
    this.#ambiguous.set(token, this.#clock.now() + this.#options.leaseMs);
  }
}
