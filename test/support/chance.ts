import { randomInt } from 'node:crypto';
import fc from 'fast-check';

/** Choices that come again with the same seed, from fast-check's generator. */
export class Chance {
  readonly seed: number;
  readonly #numbers: readonly number[];
  #next = 0;

  /** @param seed the environment's `SEED` unless given; without one, any */
  constructor(seed = Number(process.env['SEED'] ?? randomInt(2 ** 31))) {
    this.seed = seed;
    const fraction = fc.noBias(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }));
    this.#numbers = fc.sample(fraction, { seed, numRuns: 4_096 });
  }

  /** One of `from`; undefined when there is none. */
  pick<T>(from: readonly T[]): T | undefined {
    const number = this.#numbers[this.#next++ % this.#numbers.length] ?? 0;
    return from[Math.floor(number * from.length)];
  }
}
