import type { Read, Transact } from '../domain/tx.js';
import type { AcquireConnection } from './bulkhead.js';
import { retryConflicts } from './retry-conflicts.js';
import { withSemaphore, KeyedSemaphore } from './keyed-semaphore.js';

/** How one user of a pool waits for its share of the connections. */
const waiting = 1_000;
const maxWaitMs = 5_000;

/** What {@link connectionShare} makes a share of. */
interface SharedPool {
  /** Connections of the whole pool. */
  readonly pool: number;
  readonly database: {
    bulkhead(acquire: AcquireConnection): { readonly read: Read; readonly transact: Transact };
  };
  /** The turns that changes take, whoever asks for them. */
  readonly semaphore: KeyedSemaphore;
}

/**
 * A user of the database that never holds more than `part` of its connections, one at least. Of those
 * that it asks for beyond that, a thousand wait for up to five seconds; then they are refused.
 */
export function connectionShare(
  { pool, database, semaphore }: SharedPool,
  fraction: number,
): { readonly read: Read; readonly transact: Transact } {
  const maxConcurrent = Math.max(1, Math.floor(pool * fraction));
  const slots = new KeyedSemaphore({ maxConcurrent, waiting, maxWaitMs });
  const { read, transact } = database.bulkhead(() => slots.acquire('connection'));
  return { read, transact: withSemaphore(retryConflicts(transact), semaphore) };
}
