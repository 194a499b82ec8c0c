// Reads what was committed between two snapshots: events, deliveries and changes of endpoints of an account, in the
// order of their ids. Each change has the position of a client that has everything up to it.
//
// Ids begin with the time, so an index of ids finds most rows. A row that was written more than two seconds after the
// time of its id is late and has its own index. No change is lost, also while other transactions are open.
import type { Read, Statement } from '../transaction/tx.js';
import { smallestId } from '../values/id.js';
import type { Bound, StreamPosition } from './position.js';
import { emptySnapshot, formatSnapshot, isSameSnapshot, type Snapshot } from './snapshot.js';

/** The kinds of items in a stream. */
export type StreamKind = (typeof streamKinds)[number];
export const streamKinds = ['delivery', 'endpoint', 'event'] as const;

/** A committed row: an event, a delivery, or a change of an endpoint. */
export interface Change {
  readonly kind: StreamKind;
  readonly account: string;
  readonly id: string;
}

/** An account, and the point up to which its changes have been read. */
export interface AccountReader {
  readonly account: string;
  /** The {@link orderKey} of the last change that was read; empty for none. */
  readonly after: string;
}

/** Which changes to read. */
interface Difference {
  /** The snapshot that does not see the changes. */
  readonly base: Snapshot;
  /** The snapshot that sees them. */
  readonly target: Snapshot;
  /** A time in milliseconds before which none of the rows was written; see `writtenSince`. */
  readonly since: number;
}

/** A row is late if it was written this long after the time of its id. Rounding adds up to a millisecond. */
const lateMs = 2_010;
/** Late rows are written within a day after the time of their id. */
const latestMs = 86_400_000;

/** In SQL: whether the row `r` is in the difference. Rows from before there were streams count as old. */
const isNew = `
         not pg_visible_in_snapshot(coalesce(r.xid, '3'::xid8), $3::pg_snapshot)
         and pg_visible_in_snapshot(coalesce(r.xid, '3'::xid8), $4::pg_snapshot)`;

/** In SQL: whether the row comes after the last one that was read. */
const isBehind = (prefix: string, kind: StreamKind) =>
  `(r.id > '${prefix}_' || a.after_id or r.id = '${prefix}_' || a.after_id and '${kind}' > a.after_kind)`;

/**
 * In SQL: rows in time, by the index of account and id, and late rows, by their own index. $5 is a lower bound of ids
 * without prefix, and $6 of the times of late rows. Account and id are compared as one row value and late rows are
 * sorted by an expression: otherwise the planner might read the primary key of events through all accounts (ADR 0041).
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

/** Returns the key by which the changes of an account are sorted: the id without prefix, then the kind. */
export function orderKey({ id, kind }: Change): string {
  return `${id.slice(id.indexOf('_') + 1)} ${kind}`;
}

/**
 * Reads the next changes of each account in the difference, sorted.
 * @param limit at most this many of each account; if there are fewer, the account has no more
 */
export async function readChanges(
  read: Pick<Read, 'sql'>,
  readers: readonly AccountReader[],
  { base, target, since }: Difference,
  limit: number,
): Promise<Map<string, Change[]>> {
  // A stream that begins at a time in the past gets no rows from before that time.
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

  for (const [account, ofAccount] of changes) {
    ofAccount.sort((one, other) => (orderKey(one) < orderKey(other) ? -1 : 1));
    changes.set(account, ofAccount.slice(0, limit));
  }

  return changes;
}

function timeOf(milliseconds: number): string {
  return smallestId('evt', new Date(Math.max(0, milliseconds))).slice('evt_'.length);
}

/** A change, with the positions of a client before and after it. */
export interface PlacedChange {
  readonly change: Change;
  readonly before: StreamPosition;
  readonly position: StreamPosition;
}

/** Some changes after a position, and the position after them. */
interface StreamPage {
  readonly changes: readonly PlacedChange[];
  readonly position: StreamPosition;
}

/**
 * How far PostgreSQL's clock may step back between two processes. The reader reads one account only, so a wide margin
 * costs little.
 */
const maxStepMs = 600_000;

/**
 * Reads the next changes of an account after a position, up to what `present` sees.
 * @param present used only for a position that is not within a difference
 */
export async function readPage(
  read: Pick<Read, 'sql'>,
  account: string,
  position: StreamPosition,
  present: Bound,
  limit: number,
): Promise<StreamPage> {
  const { base, within } = position;
  const target = within?.target ?? present;
  const exact = isSameSnapshot(base.snapshot, emptySnapshot);
  const difference = {
    base: base.snapshot,
    target: target.snapshot,
    since: exact ? base.since : base.since - maxStepMs,
  };
  const readers = [{ account, after: within?.after ?? '' }];
  const changes = (await readChanges(read, readers, difference, limit)).get(account) ?? [];
  return placeChanges(position, target, changes, changes.length < limit);
}

/**
 * Gives each change its positions.
 * @param start the position before the changes
 * @param last whether these are the last changes of the difference
 */
export function placeChanges(
  start: StreamPosition,
  target: Bound,
  changes: readonly Change[],
  last: boolean,
): StreamPage {
  const { database } = start;
  const end: StreamPosition = { database, base: target };
  let before = start;
  const placed = changes.map((change, index) => {
    const position =
      last && index === changes.length - 1 ? end : positionWithin(start, target, orderKey(change));
    const placedChange = { change, before, position };
    before = position;
    return placedChange;
  });
  return { changes: placed, position: last ? end : before };
}

/**
 * Returns the position of a client that has the changes of a difference up to a certain one.
 * @param after the {@link orderKey} of that change; empty if the client has none
 */
export function positionWithin(
  { database, base }: Pick<StreamPosition, 'database' | 'base'>,
  target: Bound,
  after: string,
): StreamPosition {
  return after === '' ? { database, base } : { database, base, within: { target, after } };
}
