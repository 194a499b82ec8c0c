/** Chance that repeats itself: the same seed brings the same numbers (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    // Neighbouring seeds would begin alike.
    this.#state = Math.imul(seed + 1, 0x9e3779b1) ^ 0x85ebca6b;
  }

  /** At least 0, below 1. */
  readonly next = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };

  /** Whether something of this probability happens; what is impossible costs no number. */
  boolean(probability: number): boolean {
    return probability > 0 && this.next() < probability;
  }

  /** A whole number from `least` to `most`. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  /** @throws Error when there is nothing to choose from */
  pick<T>(choices: readonly T[]): T {
    const choice = choices[this.integer(0, choices.length - 1)];
    if (choice === undefined) throw new Error('nothing to choose from');
    return choice;
  }
}
