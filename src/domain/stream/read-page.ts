import type { Read } from '../tx.js';
import { type Change, orderKey, readChanges } from './changes.js';
import { emptySnapshot, isSameSnapshot } from './snapshot.js';
import type { Bound, StreamPosition } from './position.js';

/** A change, and the positions of a client before and behind it. */
export interface PlacedChange {
  readonly change: Change;
  readonly before: StreamPosition;
  readonly position: StreamPosition;
}

/** Some changes behind a position, and the position behind them. */
export interface StreamPage {
  readonly changes: readonly PlacedChange[];
  readonly position: StreamPosition;
}

/**
 * How much PostgreSQL's clock can step back between two processes. The reader sees one account only,
 * so a lower bound costs little.
 */
const maxStepMs = 600_000;

/**
 * Reads the next changes of an account behind a position, up to what `present` sees.
 * @param present only for a position that is not within a difference
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
  const found = (await readChanges(read, readers, difference, limit)).get(account) ?? [];
  return placeChanges(position, target, found, found.length < limit);
}

/**
 * @param start the position before these changes
 * @param last whether the difference holds no changes behind these
 */
export function placeChanges(
  start: StreamPosition,
  target: Bound,
  found: readonly Change[],
  last: boolean,
): StreamPage {
  const { database } = start;
  const end: StreamPosition = { database, base: target };
  let before = start;
  const changes = found.map((change, index) => {
    const position =
      last && index === found.length - 1 ? end : positionWithin(start, target, orderKey(change));
    const placed = { change, before, position };
    before = position;
    return placed;
  });
  return { changes, position: last ? end : before };
}

/**
 * Returns the position of a client that has the changes of a difference up to one.
 * @param after the key of that one; empty for none
 */
export function positionWithin(
  { database, base }: Pick<StreamPosition, 'database' | 'base'>,
  target: Bound,
  after: string,
): StreamPosition {
  return after === '' ? { database, base } : { database, base, within: { target, after } };
}
