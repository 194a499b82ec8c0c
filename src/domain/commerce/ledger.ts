// An account's orders, payments, refunds and invoices are entries of its ledger. The entries of each kind
// have the positions 1, 2, 3, … without gaps, and a later entry has a later instant. The service never
// deletes entries. Lists rely on this (entry-list.ts, ADR 0014).
//
// A transaction locks the ledger before it reads the next positions. If it rolls back, the next one gets
// the same positions, so a crash leaves no gap.
import { singleRow } from '../transaction/rows.js';
import type { Statement, Tx } from '../transaction/tx.js';

/** The instant of the next entries, and the position of the next entry of each kind. */
export interface NextLedgerEntry {
  /** The requested time, or 1 ms after the latest entry if that is later. */
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

/**
 * The condition on the id keeps the planner from reading only an index of times and positions, which seems
 * cheap while a table is small.
 */
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

/** Locks the account's ledger: no other transaction writes to it until `tx` ends. */
export async function lockLedger(tx: Tx, account: string): Promise<void> {
  await tx.sql(lockAccountStatement, [account]);
}

/**
 * Returns the positions and the time of the next entries. The caller has locked the ledger.
 * @param earliest Defaults to the transaction's time; a tool that writes past entries passes theirs
 */
export function nextLedgerEntry(
  tx: Tx,
  account: string,
  earliest: Date = tx.now,
): Promise<NextLedgerEntry> {
  // A statement of its own: it begins after the lock was taken, so it sees what the last holder committed.
  return singleRow<NextLedgerEntry>(tx, nextStatement, [account, earliest]);
}
