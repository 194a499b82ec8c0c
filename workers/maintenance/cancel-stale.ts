import { cancelStale, type StaleCancellations } from '../../src/domain/delivery/cancel-stale.js';
import { LockNotAvailable, type Transact } from '../../src/domain/tx.js';

// Any constant: one process at a time looks.
const lock = 5_418_127_730_064n;

/** Polls cancelled pending deliveries from `after` on, unless another process does so at the moment. */
export async function cancelStaleExclusively(
  transact: Transact,
  after: string,
): Promise<StaleCancellations> {
  try {
    return await transact((tx) => cancelStale(tx, after), { lock });
  } catch (error) {
    if (!(error instanceof LockNotAvailable)) throw error;
    return { cancelled: 0, next: after };
  }
}
