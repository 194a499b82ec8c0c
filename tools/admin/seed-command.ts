import { type Command, Option } from 'commander';
import { integer } from '../command-line/option-types.js';
import { seedSizes } from './seed-sizes.js';
import type { SeedOptions } from './seed-account.js';
import { adminAction, subCommand } from './admin-action.js';

/** Adds `seed`. */
export function addSeedCommand(program: Command): void {
  subCommand(program, 'seed', 'Fills an account with made-up data of half a year of a shop')
    .addOption(
      new Option('--size <size>', 'number of orders: small is 500, large is 100,000')
        .choices(Object.keys(seedSizes))
        .default('small'),
    )
    .option('--account <id>', 'the account; defaults to a new one')
    .addOption(
      new Option('--seed <n>', 'seed of the random data; the same seed makes the same shop')
        .argParser(integer(0, 2_147_483_647))
        .default(1),
    )
    .action(
      adminAction(async (database, options: SeedOptions) => {
        const { seedAccount, seedLines } = await import('./seed-account.js');
        const filled = await seedAccount(database, options);
        return { value: filled, lines: seedLines(filled), failed: !filled.complete };
      }),
    );
}
