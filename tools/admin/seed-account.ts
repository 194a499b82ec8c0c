import type { Database } from '../../src/database/database.js';
import { createPartition, partitionsSince, pastPartitions } from '../../src/database/partitions.js';
import { createAccount, createMember, getAccount } from '../../src/domain/account/accounts.js';
import { listPeople } from '../../src/domain/account/administer.js';
import type { Role } from '../../src/domain/account/permission.js';
import { databaseTime } from '../../src/domain/transaction/rows.js';
import { printLink } from '../../src/domain/session/sign-in-links.js';
import { listenForStop } from '../launcher/stop-request.js';
import { fillAccount, type FillResult } from '../seed/fill-account.js';

export interface SeedOptions {
  /** The total number of orders afterwards. */
  readonly orders: number;
  /** Defaults to a new account. */
  readonly account?: string;
  readonly seed: number;
}

/** A filled account, with a link to its dashboard. */
export interface SeedResult extends FillResult {
  /** How many members this call added. */
  readonly members: number;
  /** The owner that the link signs in; null without one. */
  readonly owner: string | null;
  /** Null while the history is incomplete, and where members sign in at the provider only. */
  readonly link: string | null;
}

interface Progress {
  show(done: number): void;
  end(): void;
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

/** The width of the progress bar, in characters. */
const barWidth = 30;

/** How many lines report the progress if the output is not a terminal. */
const progressLines = 20;

/**
 * Fills an account with believable data, and shows the progress on standard error. The first Ctrl-C stops
 * after the current batch, the second at once. Complete batches stay in both cases.
 * @throws DomainError as {@link fillAccount} does
 */
export async function seedAccount(database: Database, options: SeedOptions): Promise<SeedResult> {
  const { read, transact } = database;
  const account =
    options.account ?? (await transact((tx) => createAccount(tx, { name: 'Coffee shop' }))).id;
  await getAccount(read, account);

  const { orders, seed } = options;
  const stop = listenForStop();
  stop.forced.addEventListener('abort', () => process.exit(interruptedExitCode));

  const progress = progressOn(process.stderr, orders);
  try {
    await addPastPartitions(database);

    const since = await partitionsSince(read);
    const filled = await fillAccount(
      { read, transact, since },
      {
        account,
        orders,
        seed,
        signal: stop.signal,
        progress: (done) => progress.show(done),
      },
    );

    const members = await addPeople(database, account);
    return { ...filled, members, ...(await signInLink(database, account, filled.complete)) };
  } finally {
    progress.end();
  }
}

/** Formats the result for a person: one line for each kind of row, and the link at the end. */
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
    lines.push(
      `Open its dashboard as ${owner}. The link works once and expires after 15 minutes:`,
      link,
    );
  }
  return lines;
}

/** Adds partitions of the past, which a new database lacks. Each is locked only while it is attached. */
async function addPastPartitions({ read, transact }: Database): Promise<void> {
  for (const partition of pastPartitions(await databaseTime(read))) {
    await transact((tx) => createPartition((text) => tx.manager.query(text), partition));
  }
}

/** Adds the missing people. @returns how many */
async function addPeople({ transact }: Database, account: string): Promise<number> {
  return transact(async (tx) => {
    const emails = new Set((await listPeople(tx, account)).map(({ email }) => email));
    const missing = people.filter(({ email }) => !emails.has(email));
    for (const person of missing) await createMember(tx, { account, ...person });
    return missing.length;
  });
}

async function signInLink(
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

/** Draws a progress bar on a terminal; writes plain lines to any other output. */
function progressOn(output: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>, total: number): Progress {
  const count = (done: number) =>
    `${done.toLocaleString('en')} of ${total.toLocaleString('en')} orders`;
  let shown = 0;

  if (!output.isTTY) {
    return {
      show(done) {
        const step = Math.floor((done * progressLines) / total);
        if (step > shown) output.write(`${count(done)}\n`);
        shown = Math.max(shown, step);
      },
      end: () => undefined,
    };
  }

  return {
    show(done) {
      const filled = Math.round((done * barWidth) / total);
      const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
      output.write(`\r${bar} ${count(done)}`);
      shown += 1;
    },
    end() {
      if (shown > 0) output.write('\n');
    },
  };
}
