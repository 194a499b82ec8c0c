import { smallestId } from '../id.js';
import type { Read, Statement } from '../tx.js';
import { emptySnapshot, formatSnapshot, isSameSnapshot, type Snapshot } from './snapshot.js';

/** The kinds of items that a stream carries. */
export type StreamKind = (typeof streamKinds)[number];
export const streamKinds = ['delivery', 'endpoint', 'event'] as const;

/** A row that was committed: an event, a delivery record, or the change of an endpoint. */
export interface Change {
  readonly kind: StreamKind;
  readonly account: string;
  readonly id: string;
}

/** An account, and the last of its changes that was read. */
export interface AccountReader {
  readonly account: string;
  /** Of {@link orderKey}; empty for none. */
  readonly after: string;
}

/** Which changes to read. */
export interface Difference {
  /** Read what this one does not see… */
  readonly base: Snapshot;
  /** …and this one does. */
  readonly target: Snapshot;
  /** A time in milliseconds before which none of it was written; see `writtenSince`. */
  readonly since: number;
}

/** A row counts as late this long after the time of its id; rounding takes up to a millisecond. */
const lateMs = 2_010;
/** A late row was written within a day of the time of its id. */
const latestMs = 86_400_000;

/** In SQL: the difference sees the row `r`. Rows from before there was a stream count as old. */
const isNew = `
         not pg_visible_in_snapshot(coalesce(r.xid, '3'::xid8), $3::pg_snapshot)
         and pg_visible_in_snapshot(coalesce(r.xid, '3'::xid8), $4::pg_snapshot)`;

/** In SQL: the row comes after the last one that was read. */
const isBehind = (prefix: string, kind: StreamKind) =>
  `(r.id > '${prefix}_' || a.after_id or r.id = '${prefix}_' || a.after_id and '${kind}' > a.after_kind)`;

/**
 * In SQL: rows in time, by the index of account and id, and late rows by their own. $5 is a lower bound
 * of ids, without prefix, and $6 of the times with which late ones begin. Account and id are compared
 * as a row, and late rows are ordered by an expression: the primary key of events would lead through
 * those of all accounts (ADR 0041).
 */
const datedRows = (kind: StreamKind, prefix: string, time: string) => {
  const late = `r.written_at - r.${time} > interval '2 seconds'`;
  return `
      (select '${kind}' as kind, r.id from ${kind} r
        where (r.account_id, r.id) >= (a.account_id, '${prefix}_' || greatest($5, a.after_id))
          and r.account_id <= a.account_id
          and (${late}) is not true and ${isBehind(prefix, kind)} and ${isNew}
        order by r.account_id, r.id limit $7)
      union all
      (select '${kind}', r.id from ${kind} r
        where r.account_id = a.account_id and r.xid >= pg_snapshot_xmin($3::pg_snapshot)
          and r.${time} >= $6 and ${late} and ${isBehind(prefix, kind)} and ${isNew}
        order by (r.id || '') limit $7)`;
};

const changesStatement: Statement = {
  name: 'stream_changes',
  text: `
    select a.account_id as account, c.kind, c.id
      from unnest($1::text[], $2::text[]) i (account_id, after)
      cross join lateral (
        select i.account_id, split_part(i.after, ' ', 1) as after_id,
               split_part(i.after, ' ', 2) as after_kind offset 0) a
      cross join lateral (
      ${datedRows('event', 'evt', 'occurred_at')}
      union all
      ${datedRows('delivery', 'whd', 'created_at')}
      union all
      (select 'endpoint', r.id from endpoint r
        where hashtextextended(r.account_id, 0) = hashtextextended(a.account_id, 0)
          and r.account_id = a.account_id and r.xid >= pg_snapshot_xmin($3::pg_snapshot)
          and r.updated_at >= $8 and ${isBehind('whs', 'endpoint')} and ${isNew}
        order by (r.id || '') limit $7)
      ) c`,
};

/** The order of the changes of an account: their ids without prefix, then their kinds. */
export function orderKey({ id, kind }: Change): string {
  return `${id.slice(id.indexOf('_') + 1)} ${kind}`;
}

/**
 * Reads the next changes of each account that are in the difference, in their order.
 * @param limit at most this many of each account; with fewer, the account has no more
 */
export async function readChanges(
  read: Pick<Read, 'sql'>,
  readers: readonly AccountReader[],
  { base, target, since }: Difference,
  limit: number,
): Promise<Map<string, Change[]>> {
  // A stream that begins in the past gets no rows from before its beginning.
  const exact = isSameSnapshot(base, emptySnapshot);
  const rows = await read.sql<Change>(changesStatement, [
    readers.map(({ account }) => account),
    readers.map(({ after }) => after),
    formatSnapshot(base),
    formatSnapshot(target),
    timeOf(exact ? since : since - lateMs),
    new Date(Math.max(0, exact ? since : since - latestMs)),
    limit,
    exact ? new Date(since) : '-infinity',
  ]);
  const changes = new Map<string, Change[]>();
  for (const row of rows) {
    const others = changes.get(row.account);
    if (others) others.push(row);
    else changes.set(row.account, [row]);
  }
  for (const [account, found] of changes) {
    found.sort((one, other) => (orderKey(one) < orderKey(other) ? -1 : 1));
    changes.set(account, found.slice(0, limit));
  }
  return changes;
}

function timeOf(milliseconds: number): string {
  return smallestId('evt', new Date(Math.max(0, milliseconds))).slice('evt_'.length);
}
