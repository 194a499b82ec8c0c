import { migrations } from './generated/migrations.js';
import { createPartitions } from './partitions.js';
import { type LockRetryOptions, lockWaitMs, retryLocked } from './retry-locked.js';
import { appliedIn, noteOldest, oldestCompatible, refuseUnknown } from './schema-check.js';
import { DatabaseClient } from './database-client.js';
import { withServerSettings } from './with-server-settings.js';
import pg = require('pg');

/** Tests may replace the migrations. */
export interface MigrateOptions extends LockRetryOptions {
  readonly migrations?: typeof migrations;
  /** See {@link oldestCompatible}. */
  readonly oldest?: string;
}

// An arbitrary constant: one migration run at a time per database.
export const migrationLock = 7_276_325_194_823;
const lockPollSeconds = 0.1;
const applicationName = 'signalpost-migrate';

/**
 * Migrates the schema of `databaseUrl` to this build and creates the coming partitions. Concurrent
 * runs wait for each other. Another run changes nothing, and neither does a run on the schema of a
 * newer version that lets this one run.
 * @returns the names of the migrations that it applied
 * @throws MigrationBlocked when another session holds a lock for too long
 * @throws UnsupportedSchema or SchemaMismatch, before any change, when the database has migrations
 *   that this build does not know
 */
export async function migrate(
  databaseUrl: string,
  { migrations: wanted = migrations, oldest = oldestCompatible, ...lockRetry }: MigrateOptions = {},
): Promise<string[]> {
  const holder = new DatabaseClient({
    connectionString: withServerSettings(databaseUrl),
    application_name: applicationName,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    lock_timeout: lockWaitMs,
  });

  // The next query reports a lost connection. Without a listener, the error of an idle one would
  // end the process.
  holder.on('error', () => undefined);
  await holder.connect();

  const withLockRetries = <T>(work: () => Promise<T>) =>
    retryLocked(databaseUrl, applicationName, work, lockRetry);
  try {
    while (!(await tryLock(holder))) await holder.query('select pg_sleep($1)', [lockPollSeconds]);

    const before = (await appliedIn(holder)) ?? [];
    const names = wanted.map(({ name }) => name);
    await refuseUnknown(holder, before, names);

    // A newer version has noted its own.
    const isNewest = before.length <= names.length;

    // Also before: an older version that starts in between must learn whether it may stay.
    if (isNewest) await noteOldest(holder, oldest);
    if (before.length < names.length)
      await withLockRetries(() => applyPending(databaseUrl, wanted));
    if (isNewest) await noteOldest(holder, oldest);

    const { rows } = await holder.query<{ now: Date }>('select now() as now');
    const [row] = rows;
    if (!row) throw new Error('now() returned no row');

    await withLockRetries(() => createPartitions((text) => holder.query(text), row.now));

    return ((await appliedIn(holder)) ?? []).filter((name) => !before.includes(name));
  } finally {
    // Closing the connection releases the lock.
    await holder.end();
  }
}

/**
 * Loads the code that applies migrations in advance, so that {@link migrate} need not wait for it.
 */
export async function warmUpMigrations(): Promise<void> {
  await import('./data-source.js');
}

async function applyPending(databaseUrl: string, wanted: typeof migrations): Promise<void> {
  // Most starts and commands need no migration, and TypeORM takes longer to load than they need the
  // database.
  const { createDataSource } = await import('./data-source.js');
  const dataSource = await createDataSource({
    url: databaseUrl,
    pool: 2,
    applicationName,
    statementTimeoutMs: 0,
    lockTimeoutMs: lockWaitMs,
    migrations: wanted,
  }).initialize();
  try {
    await dataSource.runMigrations();
  } finally {
    await dataSource.destroy();
  }
}

/**
 * Tries the lock once instead of waiting for it: building an index concurrently would wait for the
 * waiting statement.
 */
async function tryLock(holder: pg.Client): Promise<boolean> {
  const { rows } = await holder.query<{ locked: boolean }>(
    'select pg_try_advisory_lock($1) as locked',
    [migrationLock],
  );
  return rows[0]?.locked === true;
}
