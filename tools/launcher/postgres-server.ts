import { spawn } from 'node:child_process';
import { closeSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseClient } from '../../src/database/database-client.js';
import { withServerSettings } from '../../src/database/with-server-settings.js';
import { isUnavailable } from '../../src/domain/unavailable.js';
import { errorMessage } from '../../src/process/explain-error.js';
import { clusterVersion, movePort } from './cluster.js';
import { endless, type Patience } from './file-lock.js';
import type { PostgresPlacement } from './postgres-placement.js';
import { clearStalePostmaster, findPostmaster, stopPostmaster } from './postmaster.js';
import { readIfPresent } from './private-file.js';
import { runAs, minimalEnvironment } from './run-as.js';

/** A server that shuts down for longer is ended at once; the next start then replays its log. */
const shutdownLimitMs = 8_000;

/** Time for a server that we started to end when nobody waits for it any longer. */
const giveUpLimitMs = 2_000;

/** A connection to the server of a cluster. */
interface ReachedServer {
  readonly client: DatabaseClient;
  /** The URL of the database, with the port that the server listens on. */
  readonly address: URL;
  readonly startedHere: boolean;
}

/**
 * Connects to the database of a cluster, and creates it when missing. Adopts the server that runs on
 * the cluster, and starts one when none does, or when that one ends. The caller holds `postgres.lock`.
 * @param home the DATA_DIR, which gets `postgres.log`
 * @param url where a new server listens; if the port is taken, another one is chosen and saved
 * @param name of the connection, which `pg_stat_activity` shows
 * @throws Error with the last lines of the log of a server that cannot start; AbortError
 */
export async function reachServer(
  home: string,
  place: PostgresPlacement,
  url: URL,
  name: string,
  patience: Patience,
): Promise<ReachedServer> {
  const { cluster } = place;
  const { signal, onWait } = patience;
  let address = url;
  let started: StartedServer | undefined;
  let refusal = '';

  try {
    for (;;) {
      signal.throwIfAborted();
      if (started?.end) {
        const { output, wasStopped } = started.end;
        started = undefined;
        if (/address already in use/i.test(output)) {
          address = await movePort(home, address);
        } else if (!wasStopped && !isPassing(output)) {
          throw new Error(`PostgreSQL did not start:\n${output}`);
        }
        onWait(`PostgreSQL ended while it started: ${output.split('\n').at(-1)}`);
        // The backends of a killed server need a moment to end.
        await pause(200, undefined, { signal });
      }

      const running = findPostmaster(cluster);
      if (running?.state === 'stopping') {
        await stopPostmaster(running, shutdownLimitMs, patience);
        continue;
      }
      if (!running && !started) {
        await clearStalePostmaster(cluster, patience);
        await refuseOtherVersion(place);
        started = startServer(home, place, address);
      }

      if (running && running.port > 0) address = withPort(address, running.port);
      const isReady = running?.state === 'ready';
      const does = isReady ? `does not answer${refusal}` : 'is starting';
      onWait(`PostgreSQL (process ${running?.pid ?? started?.pid}) ${does}`);
      try {
        const client = await open(address, cluster, name, signal);
        if (client) return { client, address, startedHere: started !== undefined };
      } catch (error) {
        // Before it is ready, another server may answer on its port.
        if (isReady && !isAway(error)) throw error;
        refusal = `: ${errorMessage(error)}`;
      }
      await pause(30, undefined, { signal });
    }
  } catch (error) {
    if (started?.pid !== undefined && !started.end) {
      const limit = { ...endless, signal: AbortSignal.timeout(giveUpLimitMs) };
      await stopPostmaster({ pid: started.pid }, giveUpLimitMs, limit).catch(() => undefined);
    }
    throw error;
  }
}

/** Time for an answer on a connection that only shows that somebody needs PostgreSQL. */
const answerLimitMs = 3_000;

/** Opens a connection that `pg_stat_activity` shows as `name`; the caller ends it. */
export async function connect(
  url: Pick<URL, 'href'>,
  name: string,
  signal?: AbortSignal,
): Promise<DatabaseClient> {
  const client = createClient(url, name, answerLimitMs);
  const abandon = () => client.abandon();
  signal?.addEventListener('abort', abandon);
  try {
    await client.connect();
  } finally {
    signal?.removeEventListener('abort', abandon);
  }
  return client;
}

function createClient(url: Pick<URL, 'href'>, name: string, queryLimitMs?: number): DatabaseClient {
  const client = new DatabaseClient({
    connectionString: withServerSettings(url.href),
    application_name: name,
    connectionTimeoutMillis: answerLimitMs,
    ...(queryLimitMs !== undefined && { query_timeout: queryLimitMs }),
    keepAlive: true,
  });
  // Without a listener, a broken connection ends the process.
  client.on('error', () => undefined);
  return client;
}

/** Creates the database when missing, and connects to it; undefined while another server answers. */
async function open(
  url: URL,
  cluster: string,
  name: string,
  signal: AbortSignal,
): Promise<DatabaseClient | undefined> {
  const maintenance = new URL(url);
  maintenance.pathname = '/postgres';
  const database = url.pathname.slice(1);
  // Without a limit, because it may take long to create a database.
  const client = createClient(maintenance, 'signalpost-start');
  const abandon = () => client.abandon();
  signal.addEventListener('abort', abandon);
  try {
    await client.connect();
    const { rows } = await client.query<{ folder: string; found: boolean }>(
      `select current_setting('data_directory') as folder,
              exists (select from pg_database where datname = $1) as found`,
      [database],
    );
    if (rows[0]?.folder !== cluster) return undefined;
    if (!rows[0].found) await client.query(`create database ${client.escapeIdentifier(database)}`);
  } finally {
    await client.end();
    signal.removeEventListener('abort', abandon);
  }
  return connect(url, name, signal);
}

/** A server that starts, stops or is gone; not one that is full. */
function isAway(error: unknown): boolean {
  const { code = '' } = error as { code?: string };
  return isUnavailable(error) && !/^5[38]/.test(code);
}

/** What a start says while the processes of a dead server still use the cluster. */
function isPassing(output: string): boolean {
  return /still in use|lock file .* already exists/i.test(output);
}

interface StartedServer {
  readonly pid: number | undefined;
  /** The last lines of its log, and whether somebody asked it to stop. */
  end?: { readonly output: string; readonly wasStopped: boolean };
}

const stopSignals: readonly unknown[] = ['SIGINT', 'SIGTERM', 'SIGQUIT', 'SIGKILL'];

function startServer(
  home: string,
  { cluster, binaries, user }: PostgresPlacement,
  url: URL,
): StartedServer {
  const logFile = join(home, 'postgres.log');
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  const log = openSync(logFile, size > 1_000_000 ? 'w' : 'a', 0o600);
  const begin = statSync(logFile).size;
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'timezone=UTC',
    'log_timezone=UTC',
  ];
  const child = spawn(
    join(binaries.bin, 'postgres'),
    ['-D', cluster, '-p', url.port, ...settings.flatMap((setting) => ['-c', setting])],
    // Its own process group: Ctrl-C reaches only the launcher, which stops PostgreSQL last.
    { ...minimalEnvironment, ...user, detached: true, stdio: ['ignore', log, log] },
  );
  closeSync(log);
  const server: StartedServer = { pid: child.pid };
  const written = () => (readIfPresent(logFile) ?? '').slice(begin);
  child.once('error', (error) => (server.end = { output: String(error), wasStopped: false }));
  child.once('exit', (code, signal) => {
    server.end ??= {
      output: written().trim().split('\n').slice(-10).join('\n'),
      wasStopped: code === 0 || stopSignals.includes(signal),
    };
  });
  child.unref();
  return server;
}

async function refuseOtherVersion({ cluster, binaries }: PostgresPlacement): Promise<void> {
  const { output } = await runAs(undefined, join(binaries.bin, 'postgres'), ['--version']);
  const made = clusterVersion(cluster);
  if (output.match(/(\d+)/)?.[1] === made) return;
  throw new Error(
    `${cluster} needs PostgreSQL ${made}, which created it; found ${output}. Install PostgreSQL ${made}.`,
  );
}

function withPort(url: URL, port: number): URL {
  const other = new URL(url);
  other.port = String(port);
  return other;
}
