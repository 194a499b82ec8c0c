import type { Database } from '../../src/database/database.js';
import { createPartition, partitionsSince, pastPartitions } from '../../src/database/partitions.js';
import { createAccount, createMember, getAccount } from '../../src/domain/account/accounts.js';
import { listPeople } from '../../src/domain/account/administer.js';
import type { Role } from '../../src/domain/account/permission.js';
import { databaseTime } from '../../src/domain/rows.js';
import { printLink } from '../../src/domain/session/sign-in-links.js';
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

/** A filled account, and the way into its dashboard. */
export interface SeedResult extends FillResult {
  /** How many members this call added. */
  readonly members: number;
  /** The owner that the link signs in; null without one. */
  readonly owner: string | null;
  /** Null while the history is incomplete, and where members sign in at the provider only. */
  readonly link: string | null;
}

/** The people of the made-up shop. */
const people: readonly { readonly email: string; readonly role: Role }[] = [
  { email: 'mara@shop.example', role: 'owner' },
  { email: 'jonas@shop.example', role: 'admin' },
  { email: 'priya@shop.example', role: 'developer' },
  { email: 'luis@shop.example', role: 'accountant' },
  { email: 'sofie@shop.example', role: 'viewer' },
];

/** The exit code that shells expect after Ctrl-C: 128 plus the number of SIGINT. */
const interruptedExitCode = 130;

/** The report for a person: one line per kind of row that was created, and the link at the end. */
export function seedLines({
  account,
  orders,
  made,
  members,
  complete,
  owner,
  link,
}: SeedResult): string[] {
  const counts = Object.entries({ ...made, members }).filter(([, count]) => count > 0);
  const lines = [
    `${account} has ${orders.toLocaleString('en')} orders.`,
    ...counts.map(([rows, count]) => `  created ${count.toLocaleString('en')} ${rows}`),
  ];
  if (!complete) {
    lines.push(`Interrupted. To continue, repeat the command with --account ${account}`);
  }
  if (link !== null) {
    lines.push(`Open its dashboard as ${owner}. The link works once, within 15 minutes:`, link);
  }
  return lines;
}

/**
 * Fills an account with believable data and shows its progress on standard error. The first Ctrl-C
 * stops after the current batch, the second at once. Batches that are complete stay in both cases.
 * @throws DomainError as fillAccount does
 */
export async function seedAccount(database: Database, options: SeedOptions): Promise<SeedResult> {
  const { read, transact } = database;
  const account =
    options.account ?? (await transact((tx) => createAccount(tx, { name: 'Coffee shop' }))).id;
  await getAccount(read, account);
  const orders = seedSizes[options.size];
  const stop = listenForStop();
  stop.forced.addEventListener('abort', () => process.exit(interruptedExitCode));
  const progress = progressOn(process.stderr, orders, 'orders');
  try {
    await addPastPartitions(database);
    const since = await partitionsSince(read);
    const filled = await fillAccount(
      { read, transact, since },
      {
        account,
        orders,
        seed: options.seed,
        signal: stop.signal,
        progress: (done) => progress.show(done),
      },
    );
    const members = await addPeople(database, account);
    return { ...filled, members, ...(await wayIn(database, account, filled.complete)) };
  } finally {
    progress.end();
  }
}

/** A new database has no partitions of the past. Each is locked only while it is attached. */
async function addPastPartitions({ read, transact }: Database): Promise<void> {
  for (const partition of pastPartitions(await databaseTime(read))) {
    await transact((tx) => createPartition((text) => tx.manager.query(text), partition));
  }
}

/** @returns how many people were added */
async function addPeople({ transact }: Database, account: string): Promise<number> {
  return transact(async (tx) => {
    const known = new Set((await listPeople(tx, account)).map(({ email }) => email));
    const missing = people.filter(({ email }) => !known.has(email));
    for (const person of missing) await createMember(tx, { account, ...person });
    return missing.length;
  });
}

async function wayIn(
  { transact }: Database,
  account: string,
  complete: boolean,
): Promise<Pick<SeedResult, 'owner' | 'link'>> {
  return transact(async (tx) => {
    const owner = (await listPeople(tx, account)).find(({ role }) => role === 'owner');
    if (!complete || !owner || tx.rules.signInByProviderOnly) return { owner: null, link: null };
    return { owner: owner.email, link: await printLink(tx, owner.id) };
  });
}
