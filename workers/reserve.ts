import type { Claim } from '../src/domain/delivery/claim.js';
import type { Clock } from './clock.js';

/** A claim without a slot; `claimedAt` as the clock counts. */
export interface ReservedClaim {
  readonly claim: Claim;
  readonly claimedAt: number;
}

/** What a {@link Reserve} works with. */
export interface ReserveOptions {
  readonly clock: Clock;
  /** Who has been here for longer than this leaves. */
  readonly latestStartMs: number;
  /** Takes over those who have been here for too long. */
  readonly onLate: (claims: readonly Claim[]) => void;
}

/** Claims that have no slot yet, first come first served, and none of them here for too long. */
export class Reserve {
  readonly #options: ReserveOptions;
  #claims: ReservedClaim[] = [];
  #callOff: (() => void) | undefined;

  constructor(options: ReserveOptions) {
    this.#options = options;
  }

  /** @param claimedAt no earlier than that of those who are here already */
  add(claims: readonly Claim[], claimedAt: number): void {
    for (const claim of claims) this.#claims.push({ claim, claimedAt });
  }

  /** The first claim that fits leaves. */
  next(fits: (claim: Claim) => boolean): ReservedClaim | undefined {
    const place = this.#claims.findIndex(({ claim }) => fits(claim));
    return place < 0 ? undefined : this.#claims.splice(place, 1)[0];
  }

  /** All of them leave. */
  takeAll(): Claim[] {
    this.#callOff?.();
    this.#callOff = undefined;
    const taken = this.#claims;
    this.#claims = [];
    return taken.map(({ claim }) => claim);
  }

  /** Sees to it that whoever is here now leaves in time. */
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
