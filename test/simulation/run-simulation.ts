import type { MemoryStore, MemoryStoreOptions } from './memory-store.js';
import { addTally, emptyTally, type Tally } from './tally.js';
import { World } from './world.js';

/** Which seeds to live through. */
export interface SimulationOptions {
  /** How many at most. */
  readonly seeds: number;
  /** The first one, default 1. */
  readonly from?: number;
  /** Begins no further seed when so many milliseconds are over. */
  readonly forMs?: number;
  /** The store, for planting bugs. */
  readonly store?: (options: MemoryStoreOptions) => MemoryStore;
}

/** What came of it. */
export interface Simulation {
  /** Seeds that were lived through. */
  readonly seeds: number;
  readonly tally: Tally;
  /** The first seed that broke a promise; the ones after it were left out. */
  readonly failure?: { readonly seed: number; readonly broken: string };
}

/** Lives through seeds until one breaks a promise of the service. */
export async function runSimulation({
  seeds,
  from = 1,
  forMs = Infinity,
  store,
}: SimulationOptions): Promise<Simulation> {
  const tally = emptyTally();
  const begun = performance.now();
  for (let count = 0; count < seeds; count += 1) {
    if (performance.now() - begun >= forMs) return { seeds: count, tally };
    const seed = from + count;
    const world = new World({ seed, ...(store && { store }) });
    try {
      await world.live();
    } catch (error) {
      return { seeds: count, tally, failure: { seed, broken: String(error) } };
    }
    addTally(tally, world.tally);
  }
  return { seeds, tally };
}
