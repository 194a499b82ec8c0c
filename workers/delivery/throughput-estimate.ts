/** Time constant of the moving average. */
const windowMs = 100;
/** Shorter samples are mostly noise. */
const sampleMs = 10;

/** Moving average of how fast the attempts of one lane end. */
export class ThroughputEstimate {
  readonly #clock: () => number;
  #ended = 0;
  #since: number;
  #perMs = 0;

  /** @param clock milliseconds that never go back */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
    this.#since = clock();
  }

  /** Notes the end of one attempt. */
  recordEnd(): void {
    this.#ended += 1;
  }

  /** Attempts expected to end within `ms` milliseconds at the current rate. */
  expectedWithin(ms: number): number {
    const elapsed = this.#clock() - this.#since;
    if (elapsed >= sampleMs) {
      const weight = 1 - Math.exp(-elapsed / windowMs);
      this.#perMs += weight * (this.#ended / elapsed - this.#perMs);
      this.#ended = 0;
      this.#since += elapsed;
    }
    return Math.floor(this.#perMs * ms);
  }
}
