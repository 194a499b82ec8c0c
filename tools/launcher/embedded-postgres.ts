import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DatabaseClient } from '../../src/database/database-client.js';
import { errorMessage } from '../../src/process/explain-error.js';
import { ensureCluster } from './cluster.js';
import { ensureDataDir } from './data-dir.js';
import { awaitLock, endless, holderOf, LockHeld } from './file-lock.js';
import { choosePlacement, type PostgresPlacement } from './postgres-placement.js';
import { connect, reachServer } from './postgres-server.js';
import { findPostmaster, isStopping, stopPostmaster } from './postmaster.js';

/** A connection to the PostgreSQL of a DATA_DIR. PostgreSQL runs at least until {@link leave}. */
export interface PostgresHandle {
  readonly databaseUrl: string;
  /** Messages for the user: a cluster outside DATA_DIR, and one that an earlier DATA_DIR left. */
  readonly notices: readonly string[];
  readonly startedHere: boolean;
  /**
   * Resolves when the connection breaks, as when PostgreSQL is killed, and when somebody asked
   * PostgreSQL to stop; never after {@link leave}.
   */
  readonly broken: Promise<void>;
  /**
   * Disconnects, and stops PostgreSQL when no other process of Signalpost is connected.
   * @param hurry ends the wait for the stop, which goes on
   */
  leave(hurry?: AbortSignal): Promise<void>;
}

const watchIntervalMs = 1_000;
const disconnectLimitMs = 1_000;
/** Whoever holds the lock for longer starts PostgreSQL, and stops it later. */
const leaveLockLimitMs = 5_000;
const leaveLimitMs = 40_000;

/**
 * Makes sure that the PostgreSQL of `dataDir` runs and the database exists. Adopts a running server,
 * such as that of a killed launcher, otherwise starts one. Several processes may hold a handle; the
 * last that leaves stops PostgreSQL.
 * @param name of the holder, such as "launcher"; `pg_stat_activity` shows it
 * @param patience with the reasons for waits: who holds the lock, or what PostgreSQL does; defaults
 *   to a wait without end
 * @throws BinariesNotFound, PlacementFailed, or an Error with the last lines of PostgreSQL's own log;
 *   AbortError or LockHeld when the signal of `patience` ends the wait
 */
export async function acquirePostgres(
  dataDir: string,
  name: string,
  patience = endless,
): Promise<PostgresHandle> {
  const home = ensureDataDir(dataDir);
  const lockFile = join(home, 'postgres.lock');
  const lock = await awaitLock(lockFile, patience);
  try {
    const placement = await choosePlacement(home);
    const { cluster } = placement;
    const url = await ensureCluster(home, placement);
    const { client, address, startedHere } = await reachServer(
      home,
      placement,
      url,
      `signalpost-${name}`,
      patience,
    );
    const watch = watchServer(client, cluster);
    return {
      databaseUrl: address.href,
      notices: notices(placement),
      startedHere,
      broken: watch.broken,
      leave: async (hurry) => {
        watch.end();
        const limits = [AbortSignal.timeout(leaveLimitMs), ...(hurry ? [hurry] : [])];
        await leave(client, address, cluster, home, AbortSignal.any(limits));
      },
    };
  } finally {
    lock.release();
  }
}

/** Waits for the end of the server, or for a request that it stop. */
function watchServer(
  client: DatabaseClient,
  cluster: string,
): { readonly broken: Promise<void>; end(): void } {
  let watch: NodeJS.Timeout | undefined;
  let ended = false;
  const broken = new Promise<void>((resolve) => {
    const report = () => {
      clearInterval(watch);
      if (!ended) resolve();
    };
    client.once('end', report);
    // Asked by SIGTERM, PostgreSQL refuses new connections and waits for ours to end.
    watch = setInterval(() => {
      if (isStopping(cluster)) report();
    }, watchIntervalMs).unref();
  });
  return {
    broken,
    end: () => {
      ended = true;
      clearInterval(watch);
    },
  };
}

function notices({ cluster, outside, leftBehind }: PostgresPlacement): string[] {
  return [
    ...(outside
      ? [
          `PostgreSQL runs in ${outside}, because its user cannot enter DATA_DIR (data: ${cluster}).`,
        ]
      : []),
    ...(leftBehind ? [leftBehindNotice(leftBehind)] : []),
  ];
}

function leftBehindNotice(cluster: string): string {
  const running = findPostmaster(cluster);
  const server = running ? `, its PostgreSQL still runs (process ${running.pid})` : '';
  return `The database of an earlier DATA_DIR stays in ${cluster}${server}.`;
}

/** The lock file of the launcher of a DATA_DIR. */
export function launcherLockFile(home: string): string {
  return join(home, 'launcher.lock');
}

async function leave(
  client: DatabaseClient,
  url: URL,
  cluster: string,
  home: string,
  signal: AbortSignal,
): Promise<void> {
  const launcher = holderOf(launcherLockFile(home));
  if (launcher !== undefined && launcher !== process.pid) {
    // That launcher still needs PostgreSQL, and stops it later.
    await disconnect(client);
    return;
  }

  try {
    const lock = await awaitLock(join(home, 'postgres.lock'), {
      ...endless,
      signal: AbortSignal.any([signal, AbortSignal.timeout(leaveLockLimitMs)]),
    });
    try {
      // A launcher that was told to stop does not wait for its own migration.
      const ignored = launcher === undefined ? '' : 'signalpost-migrate';
      const others = await countOthers(client, url, ignored, signal);
      await disconnect(client);
      const running = findPostmaster(cluster);
      if (running && others === 0) await stopPostmaster(running, undefined, { ...endless, signal });
    } finally {
      lock.release();
    }
  } catch (error) {
    await disconnect(client);
    if (!(error instanceof LockHeld) && !signal.aborted) throw error;
  }
}

/** A server that is paused does not take leave. */
async function disconnect(client: DatabaseClient): Promise<void> {
  await Promise.race([
    client.end().catch(() => undefined),
    pause(disconnectLimitMs, undefined, { ref: false }),
  ]);
  client.abandon();
}

/** Waits up to a second: connections of processes that just ended need some milliseconds to close. */
async function countOthers(
  held: DatabaseClient,
  url: URL,
  ignored: string,
  signal: AbortSignal,
): Promise<number> {
  const end = performance.now() + 1_000;
  for (;;) {
    const others = await countOnce(held, url, ignored, signal);
    if (others === 0 || performance.now() > end) return others;
    await pause(50, undefined, { signal });
  }
}

async function countOnce(
  held: DatabaseClient,
  url: URL,
  ignored: string,
  signal: AbortSignal,
): Promise<number> {
  try {
    return await countBesides(held, ignored);
  } catch {
    // Our connection broke or hangs, but the server may be back and serve others.
  }
  try {
    const client = await connect(url, 'signalpost-leave', signal);
    try {
      return await countBesides(client, ignored);
    } finally {
      await disconnect(client);
    }
  } catch (error) {
    // A slow server may serve others. One that is gone serves none.
    return /timeout/i.test(errorMessage(error)) ? 1 : 0;
  }
}

async function countBesides(client: DatabaseClient, ignored: string): Promise<number> {
  const { rows } = await client.query<{ others: number }>(
    `select count(*)::int as others from pg_stat_activity
     where application_name like 'signalpost%' and application_name <> $1
       and pid <> pg_backend_pid()`,
    [ignored],
  );
  return rows[0]?.others ?? 0;
}
