import type { Transact } from '../domain/tx.js';

const tries = 3;

/**
 * Returns a {@link Transact} that retries after a serialization failure or a deadlock, at most
 * three tries in all. The work must have no effect outside the transaction.
 */
export function retryConflicts(transact: Transact): Transact {
  return async (work, options) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await transact(work, options);
      } catch (error) {
        if (attempt === tries || !isConflict(error)) throw error;
      }
    }
  };
}

/** An error of TypeORM has the code of the error that it wraps. */
function isConflict(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return code === '40001' || code === '40P01';
}
