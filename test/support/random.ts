import { randomInt } from 'node:crypto';
import { Random } from '../../tools/seed/random.js';
import { builtInSchema } from '../../src/domain/event-type/built-in.js';
import { provideEventSchemas } from '../../src/process/open-database.js';

// The programs that publish samples outside mocha, such as the benchmark and the screenshots, need the schemas.
provideEventSchemas();

/** Returns a source of reproducible random choices. Its seed is the environment variable `SEED`, or a random one. */
export function seededRandom(): { readonly seed: number; readonly random: Random } {
  const seed = Number(process.env['SEED'] ?? randomInt(2 ** 31));
  return { seed, random: new Random(seed) };
}

/** Returns data that fits the schema of `type`, with `changes`; only `changes` for a type without a schema. */
export function sampleOf(type: string, changes: object = {}): Record<string, unknown> {
  const [example] = (builtInSchema(type, 'v1')?.['examples'] ?? []) as readonly object[];
  return { ...example, ...changes };
}
