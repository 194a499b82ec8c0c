import type { Snapshot } from './snapshot.js';

/** What PostgreSQL says of its present state. */
export interface ServerState {
  /** Names cluster, database and timeline: transaction ids of another one mean other rows. */
  readonly database: string;
  readonly snapshot: Snapshot;
  /** The id that the next transaction gets. Those between `snapshot.xmax` and it may be running. */
  readonly nextXid: bigint;
  /** PostgreSQL's clock in milliseconds, read before the snapshot was taken. */
  readonly at: number;
}

/** Transaction ids from `from` on were assigned after `at`. */
interface Assigned {
  readonly from: bigint;
  readonly at: number;
}

/** A state of the server, and what is known of the age of its running transactions. */
export interface TimedSnapshot extends ServerState {
  /** The process clock in milliseconds, which never steps. */
  readonly seenAt: number;
  /** Ascending. */
  readonly assigned: readonly Assigned[];
}

/** Beyond it, every second entry is dropped. That makes transactions look older, which is safe. */
const maxAssigned = 1_000;

/** @param oldest a time before which no running transaction had written */
export function firstTimedSnapshot(
  state: ServerState,
  seenAt: number,
  oldest: number,
): TimedSnapshot {
  return nextTimedSnapshot({ assigned: [{ from: 0n, at: oldest }], seenAt }, state, seenAt);
}

export function nextTimedSnapshot(
  earlier: Pick<TimedSnapshot, 'assigned' | 'seenAt'>,
  state: ServerState,
  seenAt: number,
): TimedSnapshot {
  const { nextXid, at, snapshot } = state;
  const earliest = earliestClock(earlier, { at, seenAt });
  const newest = earlier.assigned.at(-1)?.at ?? -Infinity;
  const known =
    newest <= earliest
      ? earlier.assigned
      : earlier.assigned.map((each) => ({ ...each, at: Math.min(each.at, earliest) }));
  const all = [...known, { from: nextXid, at }];
  const needed = all.filter(
    (_each, index) => (all[index + 1]?.from ?? nextXid + 1n) > snapshot.xmin,
  );
  const assigned =
    needed.length > maxAssigned ? needed.filter((_each, index) => index % 2 === 0) : needed;
  return { ...state, seenAt, assigned };
}

/** Returns a time before which nothing was written that the snapshot does not see. */
export function unseenSince(timed: TimedSnapshot): number {
  return assignedSince(timed, timed.snapshot.xmin);
}

/**
 * Returns a time, by PostgreSQL's present clock, before which nothing was written that `later` sees
 * and `earlier` does not. A transaction that goes on running does not hold it back.
 */
export function writtenSince(earlier: TimedSnapshot, later: TimedSnapshot): number {
  const running = new Set(later.snapshot.running);
  const ended = earlier.snapshot.running.find((xid) => !running.has(xid));
  let oldest = ended ?? earlier.snapshot.xmax;
  while (running.has(oldest)) oldest += 1n;
  return Math.min(assignedSince(earlier, oldest), earliestClock(earlier, later));
}

/**
 * Returns what PostgreSQL's clock showed at least between two states. If it was set back, that is
 * before the time of the earlier one. A transaction that was open then writes rows with such times.
 */
function earliestClock(
  earlier: Pick<TimedSnapshot, 'seenAt'>,
  later: Pick<TimedSnapshot, 'at' | 'seenAt'>,
): number {
  return later.at - (later.seenAt - earlier.seenAt);
}

function assignedSince({ assigned }: TimedSnapshot, xid: bigint): number {
  const known = assigned.findLast(({ from }) => from <= xid) ?? assigned[0];
  if (!known) throw new Error('The snapshot does not say since when a transaction runs.');
  return known.at;
}
