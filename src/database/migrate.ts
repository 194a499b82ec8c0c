import { createPartitions } from './partitions.js';
import { isCurrent } from './schema-check.js';
import { withServerSettings } from './with-server-settings.js';
import pg = require('pg');

// Any constant: one migration run at a time per database.
const migrationLock = 7_276_325_194_823;
const askAgainSeconds = 0.1;

/**
 * Brings the schema of `databaseUrl` up to this build and makes the coming partitions.
 * Several at once wait for one another; running it again changes nothing.
 * @returns the names of the migrations that were applied
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const holder = new pg.Client({
    connectionString: withServerSettings(databaseUrl),
    application_name: 'signalpost-migrate',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  // Whoever asks it next is told; unheard, the end of an idle connection would end the process.
  holder.on('error', () => undefined);
  await holder.connect();
  try {
    while (!(await tookLock(holder))) await holder.query('select pg_sleep($1)', [askAgainSeconds]);
    const applied = (await isCurrent(holder)) ? [] : await applyPending(databaseUrl);
    const { rows } = await holder.query<{ now: Date }>('select now() as now');
    const [row] = rows;
    if (!row) throw new Error('PostgreSQL did not tell the time');
    await createPartitions((text) => holder.query(text), row.now);
    return applied;
  } finally {
    // The lock goes with the connection.
    await holder.end();
  }
}

/** Loads what applies migrations, so that {@link migrate} need not wait for it. */
export async function warmUpMigrations(): Promise<void> {
  await import('./data-source.js');
}

async function applyPending(databaseUrl: string): Promise<string[]> {
  // TypeORM takes longer to load than most starts and commands need the database for.
  const { createDataSource } = await import('./data-source.js');
  const dataSource = await createDataSource({
    url: databaseUrl,
    pool: 2,
    applicationName: 'signalpost-migrate',
    statementTimeoutMs: 0,
  }).initialize();
  try {
    const applied = await dataSource.runMigrations();
    return applied.map(({ name }) => name);
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
