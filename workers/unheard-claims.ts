import { claimToken } from '../src/domain/delivery/claimer.js';
import type { ReleasedClaim } from '../src/domain/delivery/release-unheard.js';
import { type Clock, processClock } from './clock.js';

/** What {@link UnheardClaims} work with. */
export interface UnheardClaimsOptions {
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
const mostRemembered = 1_000;

/**
 * Claims whose answers did not come: nothing was sent under them, so they are given back instead of
 * being left to count as interrupted. The process chooses the tokens, so it knows what to give back.
 */
export class UnheardClaims {
  readonly #options: UnheardClaimsOptions;
  readonly #clock: Clock;
  /** Until when each could still be found. */
  readonly #unheard = new Map<number, number>();

  constructor(options: UnheardClaimsOptions) {
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
   * @returns how many chains were given back
   */
  async release(): Promise<number> {
    if (this.#unheard.size === 0) return 0;
    const now = this.#clock.now();
    let released: readonly ReleasedClaim[];
    try {
      released = await this.#options.release([...this.#unheard.keys()]);
    } catch (error) {
      // Whatever it is, it will not pass by itself.
      if (!this.#options.mayHaveClaimed(error)) this.#forgetEnded(now);
      throw error;
    }
    for (const { token } of released) this.#unheard.delete(token);
    this.#forgetEnded(now);
    return released.reduce((sum, { chains }) => sum + chains, 0);
  }

  #forgetEnded(now = this.#clock.now()): void {
    for (const [token, until] of this.#unheard) if (until <= now) this.#unheard.delete(token);
  }

  #remember(token: number): void {
    // The first to fail was under way when the connection broke; later ones hardly got there.
    if (this.#unheard.size >= mostRemembered) return;
    this.#unheard.set(token, this.#clock.now() + this.#options.leaseMs);
  }
}
