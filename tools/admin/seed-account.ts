import type { Database } from '../../src/database/database.js';
import { partitionsSince } from '../../src/database/partitions.js';
import { createAccount } from '../../src/domain/account/accounts.js';
import { listenForStop } from '../launcher/stop-request.js';
import { type FillResult, fillAccount } from '../seed/fill-account.js';
import { progressOn } from '../command-line/progress.js';
import { seedSizes } from './seed-sizes.js';

/** How {@link seedAccount} is asked. */
export interface SeedOptions {
  readonly size: keyof typeof seedSizes;
  /** Without one an account is made. */
  readonly account?: string;
  readonly seed: number;
}

/** What a shell takes for ended by Ctrl-C: 128 and the number of SIGINT. */
const interruptedExitCode = 130;

/** What was made, for a person. */
export function seedLines({ account, orders, made, complete }: FillResult): string[] {
  const counts = Object.entries(made).filter(([, count]) => count > 0);
  return [
    `${account} has ${orders.toLocaleString('en')} orders.`,
    ...counts.map(([rows, count]) => `  ${count.toLocaleString('en')} ${rows} were created`),
    ...(complete ? [] : [`Interrupted. To continue, repeat it with --account ${account}`]),
  ];
}

/**
 * Fills an account with believable data, showing on standard error how far it is. The first Ctrl-C
 * ends it after the batch that is under way, the second at once; whole batches stay either way.
 * @throws DomainError as fillAccount does
 */
export async function seedAccount(database: Database, options: SeedOptions): Promise<FillResult> {
  const { read, transact } = database;
  const account =
    options.account ?? (await transact((tx) => createAccount(tx, { name: 'Coffee shop' }))).id;
  const orders = seedSizes[options.size];
  const stop = listenForStop();
  stop.onForce(() => process.exit(interruptedExitCode));
  const progress = progressOn(process.stderr, orders, 'orders');
  try {
    const since = await partitionsSince(read);
    return await fillAccount(
      { read, transact, since },
      {
        ...{ account, orders, seed: options.seed },
        signal: stop.signal,
        progress: (done) => progress.show(done),
      },
    );
  } finally {
    progress.end();
  }
}
