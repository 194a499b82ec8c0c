import type { Read, Transact } from '../domain/tx.js';
import type { TakeConnection } from './bulkhead.js';
import { retryConflicts } from './retry-conflicts.js';
import { inTurn, Turns } from './turns.js';

/** How one user of a pool waits for its share of the connections. */
const waiting = 1_000;
const patienceMs = 5_000;

/** What {@link shareOf} makes a share of. */
interface Shared {
  /** Connections of the whole pool. */
  readonly pool: number;
  readonly database: {
    bulkhead(take: TakeConnection): { readonly read: Read; readonly transact: Transact };
  };
  /** The turns that changes take, whoever asks for them. */
  readonly turns: Turns;
}

/**
 * A user of the database that never holds more than `part` of its connections, one at least. Of those
 * that it asks for beyond that, a thousand wait for up to five seconds; then they are refused.
 */
export function shareOf(
  { pool, database, turns }: Shared,
  part: number,
): { readonly read: Read; readonly transact: Transact } {
  const atOnce = Math.max(1, Math.floor(pool * part));
  const places = new Turns({ atOnce, waiting, patienceMs });
  const { read, transact } = database.bulkhead(() => places.take('connection'));
  return { read, transact: inTurn(retryConflicts(transact), turns) };
}
