import { randomInt } from 'node:crypto';
import { Chance } from '../../src/seed/chance.js';

/** Choices that come again with the same seed: the environment's `SEED`; without one, any. */
export function seededChance(): { readonly seed: number; readonly chance: Chance } {
  const seed = Number(process.env['SEED'] ?? randomInt(2 ** 31));
  return { seed, chance: new Chance(seed) };
}
