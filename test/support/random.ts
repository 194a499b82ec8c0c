import { randomInt } from 'node:crypto';
import { Random } from '../../tools/seed/random.js';
import { builtInSchema } from '../../src/domain/event-type/built-in.js';
import { provideEventSchemas } from '../../src/process/open-database.js';

// For the programs that publish samples outside mocha, such as the benchmark and the screenshots.
provideEventSchemas();

/** Reproducible random choices. The seed is the environment variable `SEED`; defaults to a random one. */
export function seededRandom(): { readonly seed: number; readonly random: Random } {
  const seed = Number(process.env['SEED'] ?? randomInt(2 ** 31));
  return { seed, random: new Random(seed) };
}

/** Data that fits the schema of `type`, with `changes`; only `changes` for a type without one. */
export function sampleOf(type: string, changes: object = {}): Record<string, unknown> {
  const [example] = (builtInSchema(type, 'v1')?.['examples'] ?? []) as readonly object[];
  return { ...example, ...changes };
}
