import type { QueryRunner } from 'typeorm';

/** Longer than for other locks: nobody reads or writes later because of it, and a new try begins anew. */
const lockRetry = '60s';

/**
 * Runs a statement that builds or drops an index concurrently. It waits for transactions that are under way,
 * while nobody waits behind it.
 */
export async function concurrently(runner: QueryRunner, statement: string): Promise<void> {
  await runner.query(`set lock_timeout = '${lockRetry}'`);
  try {
    await runner.query(statement);
  } finally {
    await runner.query('reset lock_timeout');
  }
}
