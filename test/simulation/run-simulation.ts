// The simulation: the delivery engine of the workers on a simulated clock, with random faults.
//
// - A seed decides everything: accounts, receivers, faults, times. The same seed prints the same steps.
// - The code under test is that of the workers; database, queue, receivers and clock are simulated (`simulated-*.ts`).
//   `memory-store.ts` stands in for the SQL, and `pending-delivery-states.test.ts` compares it with PostgreSQL.
// - `invariant-checker.ts` watches every step, and throws at the first broken promise: nothing acknowledged is lost, a
//   lease fences results, limits hold.
// - `planted-bugs.ts` breaks the code on purpose: each bug must be noticed.
import { type Parts, defaultParts } from './parts.js';
import { addCounters, newCounters, type Counters } from './invariant-checker.js';
import { SimulatedSystem } from './simulated-system.js';

/** The seeds to run. */
interface SimulationOptions {
  /** The most seeds to run. */
  readonly seeds: number;
  /** The first seed. Defaults to 1. */
  readonly from?: number;
  /** Begins no further seed after this time, in milliseconds. */
  readonly forMs?: number;
  /** The parts of the simulated system, replaced to plant bugs. */
  readonly parts?: Parts;
}

/** The result of a simulation. */
interface Simulation {
  /** The number of seeds that kept all promises. */
  readonly seeds: number;
  readonly counters: Counters;
  /** The first seed that broke a promise; later ones were not run. */
  readonly failure?: FailedSeed;
}

/** A seed that broke a promise. */
interface FailedSeed {
  readonly seed: number;
  readonly violation: string;
  /** The command that runs the same seed again and prints every step. */
  readonly repeat: string;
}

/** Runs seeds, one after the other, until one breaks a promise of the service. */
export async function runSimulation({
  seeds,
  from = 1,
  forMs = Infinity,
  parts = defaultParts,
}: SimulationOptions): Promise<Simulation> {
  const counters = newCounters();
  const begun = performance.now();
  for (let count = 0; count < seeds; count += 1) {
    if (performance.now() - begun >= forMs) return { seeds: count, counters };

    const seed = from + count;
    const system = new SimulatedSystem({ seed, parts });
    try {
      await system.run();
    } catch (error) {
      const repeat = `npm run simulate -- --trace ${seed}`;
      return { seeds: count, counters, failure: { seed, violation: String(error), repeat } };
    }

    addCounters(counters, system.counters);
  }

  return { seeds, counters };
}

/** Runs one seed, prints every step, and at the end the broken promises. */
export async function traceSeed(
  seed: number,
  log: (line: string) => void,
  parts = defaultParts,
): Promise<void> {
  try {
    await new SimulatedSystem({ seed, parts, trace: log }).run();
    log(`seed ${seed} kept every promise`);
  } catch (error) {
    log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}
