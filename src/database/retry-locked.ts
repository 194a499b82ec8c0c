import { MigrationBlocked } from './migration-blocked.js';
import { isLockTimeout } from './partitions.js';
import { DatabaseClient } from './database-client.js';
import { withServerSettings } from './with-server-settings.js';
import pg = require('pg');

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
    const watch = watchBlockers(databaseUrl, name, (found) => {
      blockers = found;
      print(`Waiting for a lock that ${found} holds (try ${attempt} of ${tries}).`);
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

/**
 * Looks for sessions that block connections called `name`, and reports them once. Uses its own
 * connection.
 */
function watchBlockers(
  databaseUrl: string,
  name: string,
  onFound: (blockers: string) => void,
): { end(): Promise<void> } {
  let over = false;
  let client: pg.Client | undefined;
  let polling: Promise<void> | undefined;
  const poll = async () => {
    client ??= await open(databaseUrl);
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

async function open(databaseUrl: string): Promise<pg.Client> {
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
  const details = known.filter((each) => each !== null && each !== '').join(', ');
  return `process ${pid}${details === '' ? '' : ` (${details})`}`;
}
