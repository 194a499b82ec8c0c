import type { Claim } from '../../src/domain/delivery/claim.js';
import type { Clock } from '../process/clock.js';

/** A claim without a slot; `claimedAt` as the clock counts. */
export interface BufferedClaim {
  readonly claim: Claim;
  readonly claimedAt: number;
}

/** What a {@link ClaimBuffer} works with. */
export interface ClaimBufferOptions {
  readonly clock: Clock;
  /** Who has been here for longer than this leaves. */
  readonly startTimeoutMs: number;
  /** Takes over those who have been here for too long. */
  readonly onTimeout: (claims: readonly Claim[]) => void;
}

/** Claims that have no slot yet, first come first served, and none of them here for too long. */
export class ClaimBuffer {
  readonly #options: ClaimBufferOptions;
  #claims: BufferedClaim[] = [];
  #cancelTimer: (() => void) | undefined;

  constructor(options: ClaimBufferOptions) {
    this.#options = options;
  }

  /** @param claimedAt no earlier than that of those who are here already */
  add(claims: readonly Claim[], claimedAt: number): void {
    for (const claim of claims) this.#claims.push({ claim, claimedAt });
  }

  /** The first claim that fits leaves. */
  next(fits: (claim: Claim) => boolean): BufferedClaim | undefined {
    const index = this.#claims.findIndex(({ claim }) => fits(claim));
    return index < 0 ? undefined : this.#claims.splice(index, 1)[0];
  }

  /** All of them leave. */
  takeAll(): Claim[] {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const taken = this.#claims;
    this.#claims = [];
    return taken.map(({ claim }) => claim);
  }

  /** Sees to it that whoever is here now leaves in time. */
  startTimeout(): void {
    const [first] = this.#claims;
    if (!first || this.#cancelTimer) return;
    const { clock, startTimeoutMs, onTimeout } = this.#options;
    const leftMs = first.claimedAt + startTimeoutMs - clock.now();
    this.#cancelTimer = clock.after(Math.max(1, leftMs), () => {
      this.#cancelTimer = undefined;
      const latest = clock.now() - startTimeoutMs;
      const inTime = this.#claims.findIndex(({ claimedAt }) => claimedAt > latest);
      const timedOut = this.#claims.splice(0, inTime < 0 ? this.#claims.length : inTime);
      if (timedOut.length > 0) onTimeout(timedOut.map(({ claim }) => claim));
      this.startTimeout();
    });
  }
}
