// Migrates the schema, one run at a time, while other sessions go on.
//
// One connection holds an advisory lock for the whole run. A statement waits at most a second for a lock and is
// then retried, so that the sessions behind it proceed. Each migration is a transaction, unless it says otherwise:
// after a crash the next run continues with the first that is missing.
import { migrations } from './generated/migrations.js';
import { createPartitions, isLockTimeout } from './partitions.js';
import {
  appliedIn,
  noteOldest,
  oldestCompatible,
  refuseUnknown,
  MigrationBlocked,
} from './schema.js';
import { DatabaseClient } from './connection.js';
import { withServerSettings } from './address.js';
import pg = require('pg');

/** Tests may replace the migrations. */
interface MigrateOptions extends LockRetryOptions {
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
 * Loads the code that applies migrations in advance, so that {@link migrate} need not wait for it.
 */
export async function warmUpMigrations(): Promise<void> {
  await import('./data-source.js');
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

/**
 * A migration waits at most this long for a lock, in milliseconds. All later requests for that lock
 * wait as long.
 */
export const lockWaitMs = 1_000;

/** How often {@link retryLocked} tries, and where it reports. */
export interface LockRetryOptions {
  /** Prints which session holds a lock. */
  readonly print?: (line: string) => void;
  /** Defaults to 30. */
  readonly tries?: number;
  /**
   * Pause between two tries, in which other sessions proceed, in milliseconds. Defaults to 2,000.
   */
  readonly pauseMs?: number;
}

const pollIntervalMs = 200;

/**
 * Runs `work` until it gets every lock. Its statements give up a lock after {@link lockWaitMs}, so
 * that the sessions that waited behind them proceed between tries.
 * @param name application name of its connections in pg_stat_activity
 * @param work may run several times
 * @throws MigrationBlocked after the last try; other errors of `work` unchanged
 */
export async function retryLocked<T>(
  databaseUrl: string,
  name: string,
  work: () => Promise<T>,
  { print = () => undefined, tries = 30, pauseMs = 2_000 }: LockRetryOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    let blockers = 'another session';
    const watch = watchBlockers(databaseUrl, name, (sessions) => {
      blockers = sessions;
      print(`Waiting for a lock that ${sessions} holds (try ${attempt} of ${tries}).`);
    });
    try {
      return await work();
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (attempt === tries) throw new MigrationBlocked(tries, blockers);
    } finally {
      await watch.end();
    }

    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

interface Blocker {
  readonly pid: number;
  readonly name: string | null;
  readonly state: string | null;
  readonly seconds: number | null;
}

// The name and state of other users' sessions are null, unless our user may see them.
const findBlockers = `
  select distinct b.pid, b.application_name as name, b.state,
         extract(epoch from clock_timestamp() - b.xact_start)::int as seconds
    from pg_stat_activity w, unnest(pg_blocking_pids(w.pid)) as blocking (pid)
    join pg_stat_activity b on b.pid = blocking.pid
   where w.datname = current_database() and w.application_name = $1 and w.wait_event_type = 'Lock'
     and b.application_name is distinct from $1
   order by b.pid limit 5`;

/** Looks for sessions that block connections called `name`, and reports them once. Uses its own connection. */
function watchBlockers(
  databaseUrl: string,
  name: string,
  onFound: (blockers: string) => void,
): { end(): Promise<void> } {
  let over = false;
  let client: pg.Client | undefined;
  let polling: Promise<void> | undefined;
  const poll = async () => {
    client ??= await openWatcher(databaseUrl);
    const { rows } = await client.query<Blocker>(findBlockers, [name]);
    if (rows.length === 0 || over) return;
    over = true;
    onFound(rows.map(describe).join(', '));
  };

  const timer = setInterval(() => {
    if (over || polling) return;
    // Only a help for the operator: if it fails, the work still waits for the lock.
    polling = poll()
      .catch(() => undefined)
      .finally(() => (polling = undefined));
  }, pollIntervalMs);

  return {
    async end() {
      over = true;
      clearInterval(timer);
      await polling;
      await client?.end().catch(() => undefined);
    },
  };
}

async function openWatcher(databaseUrl: string): Promise<pg.Client> {
  const client = new DatabaseClient({
    connectionString: withServerSettings(databaseUrl),
    application_name: 'signalpost-migrate-watch',
    connectionTimeoutMillis: 5_000,
    query_timeout: 2_000,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

function describe({ pid, name, state, seconds }: Blocker): string {
  const known = [name, state && `${state}${seconds === null ? '' : ` for ${seconds} s`}`];
  const details = known.filter((detail) => detail !== null && detail !== '').join(', ');
  return `process ${pid}${details === '' ? '' : ` (${details})`}`;
}
