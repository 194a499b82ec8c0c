import { type Parts, soundParts } from './parts.js';
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
  /** What the worlds are made of; replaced to plant bugs. */
  readonly parts?: Parts;
}

/** What came of it. */
export interface Simulation {
  /** Seeds whose promises were all kept. */
  readonly seeds: number;
  readonly tally: Tally;
  /** The first seed that broke a promise; the ones after it were left out. */
  readonly failure?: BrokenSeed;
}

/** A seed that broke a promise, and what to do with it. */
export interface BrokenSeed {
  readonly seed: number;
  readonly broken: string;
  /** Lives through the same seed again and tells everything that happens. */
  readonly repeat: string;
}

/** Lives through seeds, one after the other, until one breaks a promise of the service. */
export async function runSimulation({
  seeds,
  from = 1,
  forMs = Infinity,
  parts = soundParts,
}: SimulationOptions): Promise<Simulation> {
  const tally = emptyTally();
  const begun = performance.now();
  for (let count = 0; count < seeds; count += 1) {
    if (performance.now() - begun >= forMs) return { seeds: count, tally };
    const seed = from + count;
    const world = new World({ seed, parts });
    try {
      await world.live();
    } catch (error) {
      const repeat = `npm run simulate -- --trace ${seed}`;
      return { seeds: count, tally, failure: { seed, broken: String(error), repeat } };
    }
    addTally(tally, world.tally);
  }
  return { seeds, tally };
}

/** Lives through one seed and tells everything that happens, and what it broke in the end. */
export async function traceSeed(
  seed: number,
  tell: (line: string) => void,
  parts = soundParts,
): Promise<void> {
  try {
    await new World({ seed, parts, trace: tell }).live();
    tell(`seed ${seed} kept every promise`);
  } catch (error) {
    tell(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}
