import type { QueryRunner } from 'typeorm';

/**
 * Longer than other lock timeouts: no reader or writer waits behind this statement, and a retry
 * starts from the beginning.
 */
const lockTimeout = '60s';

/**
 * Runs a statement that builds or drops an index concurrently. It waits for transactions in flight,
 * and no session waits behind it.
 */
export async function concurrently(runner: QueryRunner, statement: string): Promise<void> {
  await runner.query(`set lock_timeout = '${lockTimeout}'`);
  try {
    await runner.query(statement);
  } finally {
    await runner.query('reset lock_timeout');
  }
}
