/** Reproducible random numbers: the same seed gives the same numbers (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    // Without mixing, neighbouring seeds start with similar numbers.
    this.#state = Math.imul(seed + 1, 0x9e3779b1) ^ 0x85ebca6b;
  }

  /** Returns a number of at least 0 and below 1. */
  readonly next = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };

  /** Returns true with this probability. A probability of 0 takes no number from the sequence. */
  boolean(probability: number): boolean {
    return probability > 0 && this.next() < probability;
  }

  /** Returns an integer from `min` to `max`, both included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  /** Returns one of the choices. @throws Error if there is none */
  pick<T>(choices: readonly T[]): T {
    const choice = choices[this.integer(0, choices.length - 1)];
    if (choice === undefined) throw new Error('There is nothing to choose from.');
    return choice;
  }
}
