/**
 * An account's orders, payments, refunds and invoices are entries of its ledger: of each kind the
 * first has position 1, the next 2, without gaps, and a later entry has a later instant. A page of a
 * list is therefore a range of positions, and the last position is the length of the list: the last
 * page costs what the first one costs (ADR 0014). Entries are never deleted.
 */
import type { Statement, Tx } from '../tx.js';

/** Where the next entry of each kind goes, and when it is. */
export interface NextLedgerEntry {
  /** The earliest time that was asked for, or just after the latest entry where that is later. */
  readonly at: Date;
  readonly order: number;
  readonly payment: number;
  readonly refund: number;
  readonly invoice: number;
}

const lockAccountStatement: Statement = {
  name: 'ledger-lock',
  text: `select id from account where id = $1 for no key update`,
};

const kinds = ['order', 'payment', 'refund', 'invoice'] as const;

/** The condition on the id rules out reading an index of times and positions alone, which seems cheap while a table is small. */
const nextStatement: Statement = {
  name: 'ledger-next',
  text: `
    select greatest($2::timestamptz,
             ${kinds.map((kind) => `${kind}_last.at + interval '1 millisecond'`).join(', ')}) as at,
           ${kinds.map((kind) => `coalesce(${kind}_last.position, 0) + 1 as "${kind}"`).join(', ')}
      from (select) as one
      ${kinds
        .map(
          (kind) => `
      left join lateral (
        select position, created_at as at from "${kind}" where account_id = $1 and id > ''
         order by position desc limit 1) ${kind}_last on true`,
        )
        .join('')}`,
};

/** Keeps others from writing to the account's ledger until `tx` ends. */
export async function lockLedger(tx: Tx, account: string): Promise<void> {
  await tx.sql(lockAccountStatement, [account]);
}

/**
 * Where and when the next entries go of a ledger that the caller holds.
 * @param earliest the transaction's time, unless history is written
 */
export async function nextLedgerEntry(
  tx: Tx,
  account: string,
  earliest: Date = tx.now,
): Promise<NextLedgerEntry> {
  // A statement of its own after the lock: it sees what the last holder committed.
  const [next] = await tx.sql<NextLedgerEntry>(nextStatement, [account, earliest]);
  if (!next) throw new Error('PostgreSQL did not say where the ledger ends');
  return next;
}
