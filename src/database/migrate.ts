import { migrations } from './migrations/index.js';
import { createPartitions } from './partitions.js';
import { type LockRetryOptions, lockWaitMs, retryLocked } from './retry-locked.js';
import { appliedIn, refuseUnknown } from './schema-check.js';
import { withServerSettings } from './with-server-settings.js';
import pg = require('pg');

/** What a test may exchange. */
export interface MigrateOptions extends LockRetryOptions {
  readonly migrations?: typeof migrations;
}

// Any constant: one migration run at a time per database.
const migrationLock = 7_276_325_194_823;
const lockPollSeconds = 0.1;
const applicationName = 'signalpost-migrate';

/**
 * Brings the schema of `databaseUrl` up to this build and makes the coming partitions.
 * Several at once wait for one another; running it again changes nothing.
 * @throws MigrationBlocked when another session holds a lock for too long; UnsupportedSchema or SchemaMismatch,
 * having changed nothing, when the database has migrations that this build does not know
 * @returns the names of the migrations that were applied
 */
export async function migrate(
  databaseUrl: string,
  { migrations: wanted = migrations, ...lockRetry }: MigrateOptions = {},
): Promise<string[]> {
  const holder = new pg.Client({
    connectionString: withServerSettings(databaseUrl),
    application_name: applicationName,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    lock_timeout: lockWaitMs,
  });
  // Whoever asks it next is told; unheard, the end of an idle connection would end the process.
  holder.on('error', () => undefined);
  await holder.connect();
  const patiently = <T>(work: () => Promise<T>) =>
    retryLocked(databaseUrl, applicationName, work, lockRetry);
  try {
    while (!(await tookLock(holder))) await holder.query('select pg_sleep($1)', [lockPollSeconds]);
    const before = (await appliedIn(holder)) ?? [];
    const names = wanted.map(({ name }) => name);
    await refuseUnknown(holder, before, names);
    if (before.length < names.length) await patiently(() => applyPending(databaseUrl, wanted));
    const { rows } = await holder.query<{ now: Date }>('select now() as now');
    const [row] = rows;
    if (!row) throw new Error('now() returned no row');
    await patiently(() => createPartitions((text) => holder.query(text), row.now));
    return ((await appliedIn(holder)) ?? []).filter((name) => !before.includes(name));
  } finally {
    // The lock goes with the connection.
    await holder.end();
  }
}

/** Loads what applies migrations, so that {@link migrate} need not wait for it. */
export async function warmUpMigrations(): Promise<void> {
  await import('./data-source.js');
}

async function applyPending(databaseUrl: string, wanted: typeof migrations): Promise<void> {
  // TypeORM takes longer to load than most starts and commands need the database for.
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

/** Does not wait: an index that is built concurrently would wait for the statement that does. */
async function tookLock(holder: pg.Client): Promise<boolean> {
  const { rows } = await holder.query<{ locked: boolean }>(
    'select pg_try_advisory_lock($1) as locked',
    [migrationLock],
  );
  return rows[0]?.locked === true;
}
