import { MigrationBlocked } from './migration-blocked.js';
import { isLockTimeout } from './partitions.js';
import { withServerSettings } from './with-server-settings.js';
import pg = require('pg');

/** How long a migration waits for a lock, in milliseconds: all who want that lock after it wait as long. */
export const lockWaitMs = 1_000;

/** How often {@link retryLocked} tries, and whom it tells. */
export interface LockRetryOptions {
  /** Told in plain words who holds a lock. */
  readonly print?: (line: string) => void;
  /** Defaults to 30. */
  readonly tries?: number;
  /** Between two tries, in which others go on, in milliseconds. Defaults to 2,000. */
  readonly pauseMs?: number;
}

const pollIntervalMs = 200;

/**
 * Runs `work`, whose statements give up a lock after {@link lockWaitMs}, until it gets every lock. Between
 * tries whoever waited behind it goes on.
 * @param name what its connections are called in pg_stat_activity
 * @param work may be run again after a lock was not free
 * @throws MigrationBlocked after the last try; whatever else `work` throws
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

// Of sessions of other users the name and the state are null, unless ours may see them.
const findBlockers = `
  select distinct b.pid, b.application_name as name, b.state,
         extract(epoch from clock_timestamp() - b.xact_start)::int as seconds
    from pg_stat_activity w, unnest(pg_blocking_pids(w.pid)) as blocking (pid)
    join pg_stat_activity b on b.pid = blocking.pid
   where w.datname = current_database() and w.application_name = $1 and w.wait_event_type = 'Lock'
     and b.application_name is distinct from $1
   order by b.pid limit 5`;

/** Looks for those who hold what connections of `name` wait for, and tells once; needs a connection of its own. */
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
    // It is a help only: what it cannot see is waited for all the same.
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
  const client = new pg.Client({
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
