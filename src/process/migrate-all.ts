import { migrate, warmUpMigrations } from '../database/migrate.js';
import { type LockRetryOptions, lockWaitMs, retryLocked } from '../database/retry-locked.js';
import { migrateQueue } from '../queue/migrate.js';

/**
 * Everything of ours in the database of `databaseUrl`: our schema, the coming partitions and the
 * queue's own schema. Several at once wait for one another; running it again changes nothing. Others go on
 * beside it: no statement of it waits for a lock for more than a second.
 * @throws MigrationBlocked when another session holds a lock for too long; UnsupportedSchema or SchemaMismatch,
 * having changed nothing, when the database has migrations that this build does not know
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

/** Loads what {@link migrateAll} needs for an empty database, while that is being made. */
export async function warmUp(): Promise<void> {
  await warmUpMigrations();
}
