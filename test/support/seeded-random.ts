import { randomInt } from 'node:crypto';
import { Random } from '../../tools/seed/random.js';

/** Reproducible random choices. The seed is the environment variable `SEED`; defaults to a random one. */
export function seededRandom(): { readonly seed: number; readonly random: Random } {
  const seed = Number(process.env['SEED'] ?? randomInt(2 ** 31));
  return { seed, random: new Random(seed) };
}
