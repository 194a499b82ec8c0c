// Snapshots of PostgreSQL, by which a stream knows what has been committed since it last looked.
//
// Reading what one snapshot sees and an earlier one does not would mean reading all rows. So a snapshot also carries
// how old its running transactions can be: `writtenSince` and `unseenSince` give a time before which no row can be
// missing. These times are lower bounds only: too early a time costs reading, too late a one would lose rows.
import { createHash } from 'node:crypto';
import { singleRow } from '../transaction/rows.js';
import type { Read, Statement } from '../transaction/tx.js';

/** Which transactions PostgreSQL counted as ended at one moment: its `pg_snapshot`. */
export interface Snapshot {
  /** Every transaction below it had ended. */
  readonly xmin: bigint;
  /** No transaction from here on had begun to write. */
  readonly xmax: bigint;
  /** Transactions between the two that had not ended, ascending. */
  readonly running: readonly bigint[];
}

/** The snapshot that sees no rows: the base of a stream that begins in the past. */
export const emptySnapshot: Snapshot = { xmin: 1n, xmax: 1n, running: [] };

/** Reads PostgreSQL's text form, such as `10:20:10,14`. */
export function parseSnapshot(text: string): Snapshot {
  const [xmin = '', xmax = '', running = ''] = text.split(':');
  return {
    xmin: BigInt(xmin),
    xmax: BigInt(xmax),
    running: running === '' ? [] : running.split(',').map(BigInt),
  };
}

/** Writes PostgreSQL's text form. */
export function formatSnapshot({ xmin, xmax, running }: Snapshot): string {
  return `${xmin}:${xmax}:${running.join(',')}`;
}

export function isSameSnapshot(one: Snapshot, other: Snapshot): boolean {
  return formatSnapshot(one) === formatSnapshot(other);
}

/** Whether `later` sees all that `earlier` sees. Of two snapshots of one server, one always sees all of the other. */
export function seesAllOf(later: Snapshot, earlier: Snapshot): boolean {
  if (earlier.xmax > later.xmax) return false;
  const running = new Set(earlier.running);
  return later.running.every((xid) => xid >= earlier.xmax || running.has(xid));
}

/** The present state of PostgreSQL. */
export interface ServerState {
  /** Names cluster, database and timeline. In another one, the same transaction ids mean other rows. */
  readonly database: string;
  readonly snapshot: Snapshot;
  /** The id of the next transaction. Transactions from `snapshot.xmax` on may be running. */
  readonly nextXid: bigint;
  /** PostgreSQL's clock in milliseconds, read before the snapshot was taken. */
  readonly at: number;
}

/**
 * The snapshot ends at the last transaction that has ended; `age` counts the ids that are assigned beyond it.
 * `statement_timestamp` is read before the statement takes its snapshot. A server that is restored or promoted begins
 * a new timeline.
 */
const stateStatement: Statement = {
  name: 'stream_state',
  text: `
    select pg_current_snapshot()::text as snapshot,
           age(pg_snapshot_xmax(pg_current_snapshot())::xid) as ahead,
           (extract(epoch from statement_timestamp()) * 1000)::float8 as at,
           c.system_identifier::text || ' ' || d.oid::text || ' ' ||
             left(pg_walfile_name(pg_current_wal_lsn()), 8) as database
      from pg_control_system() c, pg_database d where d.datname = current_database()`,
};

interface StateRow {
  readonly snapshot: string;
  readonly ahead: number;
  readonly at: number;
  readonly database: string;
}

/** Reads the present snapshot and clock of PostgreSQL. */
export async function readServerState(read: Pick<Read, 'sql'>): Promise<ServerState> {
  const row = await singleRow<StateRow>(read, stateStatement);
  const database = createHash('sha256').update(row.database).digest('base64url').slice(0, 12);
  const snapshot = parseSnapshot(row.snapshot);
  return { database, snapshot, nextXid: snapshot.xmax + BigInt(row.ahead), at: row.at };
}

const oldestStatement: Statement = {
  name: 'stream_oldest_writer',
  text: `
    select (extract(epoch from least(
             (select min(xact_start) from pg_stat_activity where backend_xid is not null),
             (select min(prepared) from pg_prepared_xacts),
             now() - interval '1 hour')) * 1000)::float8 as at`,
};

/**
 * Returns a time in milliseconds before which no running transaction has written: an hour ago, or the start of the
 * oldest transaction that this role may see, if that is earlier.
 */
export async function oldestWriter(read: Pick<Read, 'sql'>): Promise<number> {
  return (await singleRow<{ at: number }>(read, oldestStatement)).at;
}

/** Transaction ids from `from` on were assigned after `at`. */
interface Assigned {
  readonly from: bigint;
  readonly at: number;
}

/** A state of the server, and what is known about the age of its running transactions. */
export interface TimedSnapshot extends ServerState {
  /** By the clock of the process in milliseconds, which never steps. */
  readonly seenAt: number;
  /** Ascending. */
  readonly assigned: readonly Assigned[];
}

/** With more entries, every second one is dropped. That makes transactions look older, which is safe. */
const maxAssigned = 1_000;

/**
 * Returns the first snapshot of a process.
 * @param oldest a time before which no running transaction has written
 */
export function firstTimedSnapshot(
  state: ServerState,
  seenAt: number,
  oldest: number,
): TimedSnapshot {
  return nextTimedSnapshot({ assigned: [{ from: 0n, at: oldest }], seenAt }, state, seenAt);
}

/** Returns a snapshot that remembers from earlier ones since when transactions can be running. */
export function nextTimedSnapshot(
  earlier: Pick<TimedSnapshot, 'assigned' | 'seenAt'>,
  state: ServerState,
  seenAt: number,
): TimedSnapshot {
  const { nextXid, at, snapshot } = state;
  const earliest = earliestClock(earlier, { at, seenAt });
  const newest = earlier.assigned.at(-1)?.at ?? -Infinity;
  const assignedBefore =
    newest <= earliest
      ? earlier.assigned
      : earlier.assigned.map((entry) => ({ ...entry, at: Math.min(entry.at, earliest) }));

  const all = [...assignedBefore, { from: nextXid, at }];
  const needed = all.filter(
    (_entry, index) => (all[index + 1]?.from ?? nextXid + 1n) > snapshot.xmin,
  );
  const assigned =
    needed.length > maxAssigned ? needed.filter((_entry, index) => index % 2 === 0) : needed;
  return { ...state, seenAt, assigned };
}

/** Returns a time before which no row was written that the snapshot does not see. */
export function unseenSince(timed: TimedSnapshot): number {
  return assignedSince(timed, timed.snapshot.xmin);
}

/**
 * Returns a time, by PostgreSQL's present clock, before which no row was written that `later` sees and `earlier` does
 * not. Transactions that are still running do not make it earlier.
 */
export function writtenSince(earlier: TimedSnapshot, later: TimedSnapshot): number {
  const running = new Set(later.snapshot.running);
  const ended = earlier.snapshot.running.find((xid) => !running.has(xid));
  let oldest = ended ?? earlier.snapshot.xmax;
  while (running.has(oldest)) oldest += 1n;
  return Math.min(assignedSince(earlier, oldest), earliestClock(earlier, later));
}

/**
 * Returns the earliest time that PostgreSQL's clock can have shown between two states. If the clock was set back,
 * that is before the time of the earlier state, and a transaction that was open then writes rows with such times.
 */
function earliestClock(
  earlier: Pick<TimedSnapshot, 'seenAt'>,
  later: Pick<TimedSnapshot, 'at' | 'seenAt'>,
): number {
  return later.at - (later.seenAt - earlier.seenAt);
}

function assignedSince({ assigned }: TimedSnapshot, xid: bigint): number {
  const entry = assigned.findLast(({ from }) => from <= xid) ?? assigned[0];
  if (!entry)
    throw new Error('The snapshot does not say since when a transaction has been running.');
  return entry.at;
}
