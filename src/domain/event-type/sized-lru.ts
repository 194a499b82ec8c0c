import { Lru } from '../lru.js';

/** Values of one size together. */
export interface SizeClass {
  /** Values of at most this weight belong to it. */
  readonly upTo: number;
  /** They have at most this weight in total. */
  readonly maxWeight: number;
}

/**
 * Keeps the entries used last, separately for each class of weights. So values of a large weight
 * displace only each other, and never the many small ones that together weigh as much.
 */
export class SizedLru<Value> {
  readonly #classes: readonly { readonly upTo: number; readonly entries: Lru<Value> }[];

  /** @param classes the smallest first; the last one takes all other weights */
  constructor(classes: readonly SizeClass[]) {
    this.#classes = classes.map(({ upTo, maxWeight }) => ({ upTo, entries: new Lru(maxWeight) }));
  }

  get(key: string): Value | undefined {
    for (const { entries } of this.#classes) {
      const value = entries.get(key);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  set(key: string, value: Value, weight: number): void {
    const fits = this.#classes.find(({ upTo }) => weight <= upTo) ?? this.#classes.at(-1);
    for (const { entries } of this.#classes) entries.delete(key);
    fits?.entries.set(key, value, weight);
  }
}
