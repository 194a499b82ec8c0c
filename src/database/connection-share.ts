import type { Read, Transact } from '../domain/tx.js';
import type { AcquireConnection } from './bulkhead.js';
import { retryConflicts } from './retry-conflicts.js';
import { withSemaphore, KeyedSemaphore } from './keyed-semaphore.js';

/** At most this many of one user's requests wait for a connection. */
const waiting = 1_000;
const maxWaitMs = 5_000;

/** What {@link connectionQuota} divides. */
interface SharedPool {
  /** Connections of the whole pool. */
  readonly pool: number;
  readonly database: {
    bulkhead(acquire: AcquireConnection): { readonly read: Read; readonly transact: Transact };
  };
  /** Limits the changes of each account, across all shares. */
  readonly semaphore: KeyedSemaphore;
}

/**
 * Limits one user of the pool to a fraction of its connections, at least one. Beyond that, at most
 * 1,000 requests wait, for at most 5,000 ms. Others are rejected.
 */
export function connectionQuota(
  { pool, database, semaphore }: SharedPool,
  fraction: number,
): { readonly read: Read; readonly transact: Transact } {
  const maxConcurrent = Math.max(1, Math.floor(pool * fraction));
  const slots = new KeyedSemaphore({ maxConcurrent, waiting, maxWaitMs });
  const { read, transact } = database.bulkhead(() => slots.acquire('connection'));
  return { read, transact: withSemaphore(retryConflicts(transact), semaphore) };
}
