import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { ensureCluster } from './cluster.js';
import { ensureDataDir } from './data-dir.js';
import { awaitLock, holderOf } from './file-lock.js';
import { choosePlacement, type PostgresPlacement } from './postgres-placement.js';
import { connect, connectPatiently, maintenance } from './postgres-connection.js';
import { startLimitMs, startPostgres } from './postgres-server.js';
import { clearStalePostmaster, findPostmaster, stopPostmaster } from './postmaster.js';

/** A connection to the PostgreSQL of a DATA_DIR. PostgreSQL runs at least until {@link leave}. */
export interface PostgresHandle {
  readonly databaseUrl: string;
  /** Messages for the user: a cluster outside DATA_DIR, and one that an earlier DATA_DIR left. */
  readonly notices: readonly string[];
  readonly startedHere: boolean;
  /** Resolves when the connection breaks, as when PostgreSQL is killed; never after {@link leave}. */
  readonly broken: Promise<void>;
  /** Disconnects, and stops PostgreSQL when no other process of Signalpost is connected. */
  leave(): Promise<void>;
}

/**
 * Makes sure that the PostgreSQL of `dataDir` runs and the database exists. Adopts a running server,
 * such as that of a killed launcher, otherwise starts one. Several processes may hold a handle; the
 * last that leaves stops PostgreSQL.
 * @param name of the holder, such as "launcher"; `pg_stat_activity` shows it
 * @throws BinariesNotFound, PlacementFailed, or an Error with the last lines of PostgreSQL's own log
 */
export async function acquirePostgres(dataDir: string, name: string): Promise<PostgresHandle> {
  const home = ensureDataDir(dataDir);
  const lockFile = join(home, 'postgres.lock');
  const lock = await awaitLock(lockFile, startLimitMs);
  try {
    const placement = await choosePlacement(home);
    const url = await ensureCluster(home, placement);
    await clearStalePostmaster(placement.cluster);
    const adopted = findPostmaster(placement.cluster);
    const address = adopted
      ? withPort(url, adopted.port)
      : await startPostgres(home, placement, url);
    await ensureDatabase(address);
    const client = await connect(address, `signalpost-${name}`);
    let released = false;
    const broken = new Promise<void>((resolve) => {
      client.on('error', () => undefined);
      client.on('end', () => (released ? undefined : resolve()));
    });
    return {
      databaseUrl: address.href,
      notices: notices(placement),
      startedHere: adopted === undefined,
      broken,
      leave: async () => {
        released = true;
        const releaseLock = await awaitLock(lockFile, startLimitMs);
        try {
          await leave(client, address, placement.cluster, holderOf(launcherLockFile(home)));
        } finally {
          releaseLock.release();
        }
      },
    };
  } finally {
    lock.release();
  }
}

async function ensureDatabase(url: URL): Promise<void> {
  const client = await connectPatiently(maintenance(url), 'signalpost-start', startLimitMs);
  try {
    const name = url.pathname.slice(1);
    const found = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (found.rowCount === 0)
      await client.query(`create database ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
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

function withPort(url: URL, port: number): URL {
  const other = new URL(url);
  if (port > 0) other.port = String(port);
  return other;
}

/** The lock file of the launcher of a DATA_DIR. */
export function launcherLockFile(home: string): string {
  return join(home, 'launcher.lock');
}

/** Waits up to a second: connections of processes that just ended need some milliseconds to close. */
async function leave(
  client: pg.Client,
  url: URL,
  cluster: string,
  launcher: number | undefined,
): Promise<void> {
  if (launcher !== undefined && launcher !== process.pid) {
    // That launcher still needs PostgreSQL, and stops it later.
    await client.end().catch(() => undefined);
    return;
  }
  const end = performance.now() + 1_000;
  let others = await countOthers(client, url);
  while (others > 0 && performance.now() < end) {
    await pause(50);
    others = await countOthers(client, url);
  }
  await client.end().catch(() => undefined);
  const running = findPostmaster(cluster);
  if (running && others === 0) await stopPostmaster(running);
}

async function countOthers(held: pg.Client, url: URL): Promise<number> {
  try {
    return await countBesides(held);
  } catch {
    // Our connection broke, but the server may be back and serve others.
  }
  try {
    const client = await connect(url, 'signalpost-leave');
    try {
      return await countBesides(client);
    } finally {
      await client.end();
    }
  } catch {
    // A server that does not answer serves no other process.
    return 0;
  }
}

async function countBesides(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ others: number }>(
    `select count(*)::int as others from pg_stat_activity
     where application_name like 'signalpost%' and pid <> pg_backend_pid()`,
  );
  return rows[0]?.others ?? 0;
}
