import { sweepCancelled, type SweptCancellations } from '../src/domain/delivery/cancel-sweep.js';
import { LockTaken, type Transact } from '../src/domain/tx.js';

// Any constant: one process at a time looks.
const lock = 5_418_127_730_064n;

/** Sweeps cancelled chains from `after` on, unless another process does so at the moment. */
export async function sweepLeftovers(
  transact: Transact,
  after: string,
): Promise<SweptCancellations> {
  try {
    return await transact((tx) => sweepCancelled(tx, after), { lock });
  } catch (error) {
    if (!(error instanceof LockTaken)) throw error;
    return { cancelled: 0, next: after };
  }
}
