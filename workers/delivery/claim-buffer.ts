import type { Claim } from '../../src/domain/delivery/claim.js';
import type { Clock } from '../clock.js';

/** A claim whose attempt has not started; `claimedAt` in milliseconds of the clock. */
export interface BufferedClaim {
  readonly claim: Claim;
  readonly claimedAt: number;
}

interface ClaimBufferOptions {
  readonly clock: Clock;
  /** A claim is buffered for at most this long. */
  readonly startTimeoutMs: number;
  /** Called with claims that were buffered for too long and have left. */
  readonly onTimeout: (claims: readonly Claim[]) => void;
}

/** Claims that wait for their attempts to start, in that order; none waits longer than the start timeout. */
export class ClaimBuffer {
  readonly #options: ClaimBufferOptions;
  #claims: BufferedClaim[] = [];
  #cancelTimer: (() => void) | undefined;

  constructor(options: ClaimBufferOptions) {
    this.#options = options;
  }

  /** Adds claims after all others. @param claimedAt no earlier than that of the claims buffered before */
  add(claims: readonly Claim[], claimedAt: number): void {
    for (const claim of claims) this.#claims.push({ claim, claimedAt });
  }

  /** Adds claims that are to start before all others. */
  addFirst(claims: readonly BufferedClaim[]): void {
    this.#claims.unshift(...claims);
  }

  /** Removes and returns the first claim that fits. */
  next(fits: (claim: Claim) => boolean): BufferedClaim | undefined {
    const index = this.#claims.findIndex(({ claim }) => fits(claim));
    return index < 0 ? undefined : this.#claims.splice(index, 1)[0];
  }

  /** Removes and returns all claims. */
  takeAll(): Claim[] {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const taken = this.#claims;
    this.#claims = [];
    return taken.map(({ claim }) => claim);
  }

  /** Starts the timer that removes claims when their time is over, unless it runs. */
  startTimeout(): void {
    const [first] = this.#claims;
    if (!first || this.#cancelTimer) return;
    const { clock, startTimeoutMs, onTimeout } = this.#options;
    const leftMs = first.claimedAt + startTimeoutMs - clock.now();
    this.#cancelTimer = clock.after(Math.max(1, leftMs), () => {
      this.#cancelTimer = undefined;
      const latest = clock.now() - startTimeoutMs;
      const timedOut = this.#claims.filter(({ claimedAt }) => claimedAt <= latest);
      this.#claims = this.#claims.filter(({ claimedAt }) => claimedAt > latest);
      if (timedOut.length > 0) onTimeout(timedOut.map(({ claim }) => claim));
      this.startTimeout();
    });
  }
}
