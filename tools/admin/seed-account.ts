import type { Database } from '../../src/database/database.js';
import { partitionsSince } from '../../src/database/partitions.js';
import { createAccount } from '../../src/domain/account/accounts.js';
import { listenForStop } from '../launcher/stop-request.js';
import { type FillResult, fillAccount } from '../seed/fill-account.js';
import { progressOn } from '../command-line/progress.js';
import { seedSizes } from './seed-sizes.js';

export interface SeedOptions {
  readonly size: keyof typeof seedSizes;
  /** Defaults to a new account. */
  readonly account?: string;
  readonly seed: number;
}

/** The exit code that shells expect after Ctrl-C: 128 plus the number of SIGINT. */
const interruptedExitCode = 130;

/** The report for a person: one line per kind of row that was created. */
export function seedLines({ account, orders, made, complete }: FillResult): string[] {
  const counts = Object.entries(made).filter(([, count]) => count > 0);
  return [
    `${account} has ${orders.toLocaleString('en')} orders.`,
    ...counts.map(([rows, count]) => `  created ${count.toLocaleString('en')} ${rows}`),
    ...(complete ? [] : [`Interrupted. To continue, repeat the command with --account ${account}`]),
  ];
}

/**
 * Fills an account with believable data and shows its progress on standard error. The first Ctrl-C
 * stops after the current batch, the second at once. Batches that are complete stay in both cases.
 * @throws DomainError as fillAccount does
 */
export async function seedAccount(database: Database, options: SeedOptions): Promise<FillResult> {
  const { read, transact } = database;
  const account =
    options.account ?? (await transact((tx) => createAccount(tx, { name: 'Coffee shop' }))).id;
  const orders = seedSizes[options.size];
  const stop = listenForStop();
  stop.forced.addEventListener('abort', () => process.exit(interruptedExitCode));
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
