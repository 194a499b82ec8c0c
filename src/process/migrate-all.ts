import {
  migrate,
  warmUpMigrations,
  type LockRetryOptions,
  lockWaitMs,
  retryLocked,
} from '../database/migrate.js';
import { migrateQueue } from '../queue/migrate.js';

/**
 * Applies all migrations of the database at `databaseUrl`: our schema, upcoming partitions and the
 * queue's schema.
 * - Concurrent calls wait for one another; a repeated call changes nothing.
 * - Other sessions can go on: no statement waits for a lock for more than a second.
 * @throws MigrationBlocked when another session holds a lock for too long
 * @throws UnsupportedSchema, SchemaMismatch when the database has migrations that this build does
 *   not know; nothing was changed
 * @returns the names of our migrations that were applied
 */
export async function migrateAll(
  databaseUrl: string,
  lockRetry: LockRetryOptions = {},
): Promise<string[]> {
  const applied = await migrate(databaseUrl, lockRetry);
  const queue = () => migrateQueue(databaseUrl, lockWaitMs);
  await retryLocked(databaseUrl, 'signalpost-migrate', queue, lockRetry);
  return applied;
}

/** Loads what {@link migrateAll} needs while an empty database is still being created. */
export async function warmUp(): Promise<void> {
  await warmUpMigrations();
}
