// A ledger has positions without gaps, and a later entry has a later time. Made-up history therefore goes into
// the longest time without an entry: before a test sale of some minutes ago, or up to now in an account without
// sales. Later entries keep their numbers and move up in the order.
import type { Statement, Tx } from '../../src/domain/transaction/tx.js';

/** The tables whose rows have a position in the ledger of an account. */
const tables = ['order', 'payment', 'refund', 'invoice', 'offer'] as const;

/** A position for each of these tables. */
export type Positions = Readonly<Record<(typeof tables)[number], number>>;

/** A time without entries, at least a millisecond away from those around it. */
export interface LedgerGap {
  readonly from: Date;
  readonly until: Date;
}

/** Every batch moves the entries after the gap, so at most this many of each kind may follow it. */
const maxLater = 100;

const timesStatement: Statement = {
  name: 'seed-ledger-times',
  text: tables
    .map(
      (table) => `
    select array(select t.created_at from "${table}" t
                  where t.account_id = $1 and t.id > '' order by t.position desc
                  limit ${maxLater + 1}) as times`,
    )
    .join(' union all '),
};

const lastBeforeStatement: Statement = {
  name: 'seed-ledger-last',
  text: `
    select ${tables.map((table) => `coalesce(${table}_last.position, 0) as "${table}"`).join(', ')},
           greatest(${tables.map((table) => `${table}_last.at`).join(', ')}) as at
      from (select) one
      ${tables
        .map(
          (table) => `
      left join lateral (
        select t.position, t.created_at as at from "${table}" t
         where t.account_id = $1 and t.id > '' and t.created_at < $2
         order by t.position desc limit 1) ${table}_last on true`,
        )
        .join('')}`,
};

/** Positions are unique at every moment, so rows move through a range that no ledger reaches. */
const away = 1_000_000_000;

const moveStatements = tables.map((table) => ({
  table,
  leave: {
    name: `seed-leave-${table}`,
    text: `update "${table}" set position = position + ${away} where account_id = $1 and position > $2`,
  },
  arrive: {
    name: `seed-arrive-${table}`,
    text: `update "${table}" set position = position - ${away} + $2
            where account_id = $1 and position > ${away}`,
  },
}));

/** Returns the longest time since `start` without an entry. */
export async function longestGap(tx: Tx, account: string, start: Date): Promise<LedgerGap> {
  const rows = await tx.sql<{ times: Date[] }>(timesStatement, [account]);
  // Before the oldest of these a kind may have entries that were not read.
  const read = rows.flatMap(({ times }) => (times.length > maxLater ? (times.at(-1) ?? []) : []));
  const begin = Math.max(start.getTime(), ...read.map((at) => at.getTime()));
  const marks = rows
    .flatMap(({ times }) => times.map((at) => at.getTime()))
    .filter((at) => at > begin)
    .sort((one, other) => one - other);

  let longest = { from: begin, until: begin };
  let from = begin;

  for (const until of [...marks, tx.now.getTime()]) {
    if (until - from >= longest.until - longest.from) longest = { from, until };
    from = until;
  }

  return { from: new Date(longest.from + 1), until: new Date(longest.until) };
}

/** Returns the last positions before a time, and the time of the latest of these entries; null if there is none. */
export async function lastBefore(
  tx: Tx,
  account: string,
  until: Date,
): Promise<Positions & { readonly at: Date | null }> {
  const [last] = await tx.sql<Positions & { at: Date | null }>(lastBeforeStatement, [
    account,
    until,
  ]);
  if (!last) throw new Error(`${lastBeforeStatement.name} returned no row`);
  return last;
}

/**
 * Moves the entries after these positions up, which leaves room for `by` entries of each kind. The caller holds
 * the lock of the ledger.
 */
export async function moveUp(
  tx: Tx,
  account: string,
  after: Positions,
  by: Positions,
): Promise<void> {
  for (const { table, leave, arrive } of moveStatements) {
    await tx.sql(leave, [account, after[table]]);
    await tx.sql(arrive, [account, by[table]]);
  }
}
