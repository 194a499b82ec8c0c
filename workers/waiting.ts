import type { Claim } from '../src/domain/delivery/claim.js';
import type { Clock } from './clock.js';

/** A claim that waits for a slot; `claimedAt` as the clock counts. */
export interface WaitingClaim {
  readonly claim: Claim;
  readonly claimedAt: number;
}

/** What {@link Waiting} works with. */
export interface WaitingOptions {
  readonly clock: Clock;
  /** Who has waited for longer than this waits no more. */
  readonly latestStartMs: number;
  /** Takes over those who have waited for too long. */
  readonly onLate: (claims: readonly Claim[]) => void;
}

/** Claims that wait for a slot, first come first served, and none of them for too long. */
export class Waiting {
  readonly #options: WaitingOptions;
  #claims: WaitingClaim[] = [];
  #callOff: (() => void) | undefined;

  constructor(options: WaitingOptions) {
    this.#options = options;
  }

  /** @param claimedAt no earlier than that of those who wait already */
  add(claims: readonly Claim[], claimedAt: number): void {
    for (const claim of claims) this.#claims.push({ claim, claimedAt });
  }

  /** Who waits no more because there is a slot. */
  next(): WaitingClaim | undefined {
    return this.#claims.shift();
  }

  /** All of them; nobody waits then, until some are added. */
  takeAll(): Claim[] {
    this.#callOff?.();
    this.#callOff = undefined;
    const taken = this.#claims;
    this.#claims = [];
    return taken.map(({ claim }) => claim);
  }

  /** Sees to it that whoever waits now does not wait for too long. */
  watch(): void {
    const [first] = this.#claims;
    if (!first || this.#callOff) return;
    const { clock, latestStartMs, onLate } = this.#options;
    const leftMs = first.claimedAt + latestStartMs - clock.now();
    this.#callOff = clock.after(Math.max(1, leftMs), () => {
      this.#callOff = undefined;
      const latest = clock.now() - latestStartMs;
      const inTime = this.#claims.findIndex(({ claimedAt }) => claimedAt > latest);
      const late = this.#claims.splice(0, inTime < 0 ? this.#claims.length : inTime);
      if (late.length > 0) onLate(late.map(({ claim }) => claim));
      this.watch();
    });
  }
}
