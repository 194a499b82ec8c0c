import { randomInt } from 'node:crypto';
import { Random } from '../../tools/seed/random.js';

/** Choices that come again with the same seed: the environment's `SEED`; without one, any. */
export function seededRandom(): { readonly seed: number; readonly random: Random } {
  const seed = Number(process.env['SEED'] ?? randomInt(2 ** 31));
  return { seed, random: new Random(seed) };
}
