/** Over this time the newest observations outweigh the older ones. */
const windowMs = 100;
/** Shorter samples say more about chance than about pace. */
const sampleMs = 10;

/** How fast attempts of one lane have ended lately. */
export class ThroughputEstimate {
  readonly #clock: () => number;
  #ended = 0;
  #since: number;
  #perMs = 0;

  /** @param clock milliseconds, never going back */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
    this.#since = clock();
  }

  /** Notes the end of one attempt. */
  recordEnd(): void {
    this.#ended += 1;
  }

  /** How many attempts will have ended after `ms` if they go on ending as they did. */
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
