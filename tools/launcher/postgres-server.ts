// The server process of a cluster: finds it, starts it, connects to it, stops it.
//
// Two servers on one cluster would destroy it, so the caller holds `postgres.lock` while it starts or stops one. The
// server itself reports its state in `postmaster.pid`, whichever process started it. A launcher that is killed leaves its
// server running, and the next one adopts it. A server that is killed leaves backends and a stale `postmaster.pid`.
import { spawn } from 'node:child_process';
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { withServerSettings } from '../../src/database/address.js';
import { DatabaseClient } from '../../src/database/connection.js';
import { isUnavailable } from '../../src/domain/transaction/unavailable.js';
import { errorMessage } from '../../src/process/explain-error.js';
import { minimalEnvironment } from './child-process.js';
import { movePort, type PostgresPlacement } from './cluster.js';
import { readIfPresent } from './data-dir.js';
import { defaultWait, type WaitOptions } from './file-lock.js';
import { commandLineOf, identityOf } from './process-identity.js';

/** A connection to the server of a cluster. */
interface ReachedServer {
  readonly client: DatabaseClient;
  /** The URL of the database, with the port that the server listens on. */
  readonly address: URL;
  readonly startedHere: boolean;
}

/** A server process that we started. */
interface StartedServer {
  readonly pid: number | undefined;
  /** Set when it has ended: the last lines of its log, and whether somebody asked it to stop. */
  end?: { readonly output: string; readonly wasStopped: boolean };
}

/** A living PostgreSQL server of a cluster. */
export interface Postmaster {
  readonly pid: number;
  /** 0 before it has written its port. */
  readonly port: number;
  /** What it reports: `starting`, `ready` or `stopping`; '' before it reports one. */
  readonly state: string;
}

/** A server that shuts down for longer is ended at once; the next start then replays its log. */
const shutdownLimitMs = 8_000;

/** How long a server that we started may take to end after the wait for it was given up. */
const giveUpLimitMs = 2_000;

/** The limit for opening a connection, and for each query on a connection of {@link connect}. */
const answerLimitMs = 3_000;

const stopSignals: readonly unknown[] = ['SIGINT', 'SIGTERM', 'SIGQUIT', 'SIGKILL'];

/**
 * Connects to the database of a cluster, and creates it if it is missing. Adopts the server that runs on
 * the cluster. Starts one if there is none, or once that one has ended. The caller holds `postgres.lock`.
 * @param home the DATA_DIR, which gets `postgres.log`
 * @param url where a new server listens; if the port is taken, another one is chosen and saved
 * @param name names the connection in `pg_stat_activity`
 * @throws Error with the last lines of the log of a server that cannot start; AbortError
 */
export async function reachServer(
  home: string,
  placement: PostgresPlacement,
  url: URL,
  name: string,
  waitOptions: WaitOptions,
): Promise<ReachedServer> {
  const { cluster } = placement;
  const { signal, onWait } = waitOptions;
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
        } else if (!wasStopped && !isTransient(output)) {
          throw new Error(`PostgreSQL did not start:\n${output}`);
        }

        onWait(`PostgreSQL ended while it started: ${output.split('\n').at(-1)}`);

        // The backends of a killed server need a moment to end.
        await pause(200, undefined, { signal });
      }

      const running = findPostmaster(cluster);
      if (running?.state === 'stopping') {
        await stopPostmaster(running, shutdownLimitMs, waitOptions);
        continue;
      }

      if (!running && !started) {
        await clearStalePostmaster(cluster, waitOptions);
        started = startServer(home, placement, address);
      }

      if (running && running.port > 0) address = withPort(address, running.port);

      const isReady = running?.state === 'ready';
      const state = isReady ? `is not responding${refusal}` : 'is starting';
      onWait(`PostgreSQL (process ${running?.pid ?? started?.pid}) ${state}`);

      try {
        const client = await open(address, cluster, name, signal);
        if (client) return { client, address, startedHere: started !== undefined };
      } catch (error) {
        // Before it is ready, another server may respond on its port.
        if (isReady && !isAway(error)) throw error;
        refusal = `: ${errorMessage(error)}`;
      }

      await pause(30, undefined, { signal });
    }
  } catch (error) {
    if (started?.pid !== undefined && !started.end) {
      const limit = { ...defaultWait, signal: AbortSignal.timeout(giveUpLimitMs) };
      await stopPostmaster({ pid: started.pid }, giveUpLimitMs, limit).catch(() => undefined);
    }
    throw error;
  }
}

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

/** True if a start failed because processes of a dead server still use the cluster. */
function isTransient(output: string): boolean {
  return /still in use|lock file .* already exists/i.test(output);
}

/** Creates the database if it is missing, and connects to it. Returns undefined if another server responds. */
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

/** True if the server is starting, stopping or gone; false if it only has no free connection. */
function isAway(error: unknown): boolean {
  const { code = '' } = error as { code?: string };
  return isUnavailable(error) && !/^5[38]/.test(code);
}

/** Finds the server that runs on `cluster`, whichever process started it. */
export function findPostmaster(cluster: string): Postmaster | undefined {
  const [pid, , , port = '0', , , , state = ''] = pidFile(cluster) ?? [];
  if (pid === undefined || !isPostmaster(Number(pid), cluster)) return undefined;
  return { pid: Number(pid), port: Number(port), state: state.trim() };
}

/** True after somebody asked the server of `cluster` to stop, even while it waits for its clients. */
export function isStopping(cluster: string): boolean {
  try {
    return pidFile(cluster)?.[7]?.trim() === 'stopping';
  } catch {
    // It is read again a moment later.
    return false;
  }
}

/**
 * Stops a server cleanly: it disconnects clients and writes everything, so no recovery follows. If it has
 * not stopped after `limitMs`, ends it at once; a recovery follows then.
 * @throws Error if the signal ends the wait
 */
export async function stopPostmaster(
  { pid }: Pick<Postmaster, 'pid'>,
  limitMs = 30_000,
  { signal, onWait } = defaultWait,
): Promise<void> {
  const identity = identityOf(pid);
  const limit = performance.now() + limitMs;
  let quit = false;

  // SIGINT is PostgreSQL's "fast" shutdown; SIGTERM waits for clients to disconnect.
  send(pid, 'SIGINT');

  while (identity !== undefined && identityOf(pid) === identity) {
    if (!quit && performance.now() > limit) {
      send(pid, 'SIGQUIT');
      quit = true;
    }
    onWait(`PostgreSQL (process ${pid}) is shutting down`);
    await pause(20, undefined, { signal });
  }
}

/**
 * Removes a stale `postmaster.pid`. PostgreSQL would take it for a living server if its pid belongs to
 * a zombie or to another program. First waits until the backends of the dead server are gone, because
 * two servers on one cluster would destroy it.
 */
async function clearStalePostmaster(
  cluster: string,
  { signal, onWait }: WaitOptions,
): Promise<void> {
  const [pid] = pidFile(cluster) ?? [];
  if (pid === undefined || findPostmaster(cluster)) return;

  // Only Linux shows backends. Elsewhere, PostgreSQL checks a dead pid better than we can.
  if (process.platform !== 'linux' && identityOf(Number(pid)) === undefined) return;

  for (let rounds = 0; ; rounds++) {
    const backends = backendsOf(cluster);
    if (backends.length === 0) break;
    onWait(`processes of a dead PostgreSQL still use ${cluster}: ${backends.join(', ')}`);
    // Without a server they have nothing to save. SIGKILL also ends paused processes.
    if (rounds === 20) for (const backend of backends) send(backend, 'SIGKILL');
    await pause(100, undefined, { signal });
  }

  rmSync(join(cluster, 'postmaster.pid'), { force: true });
}

function withPort(url: URL, port: number): URL {
  const other = new URL(url);
  other.port = String(port);
  return other;
}

function isPostmaster(pid: number, cluster: string): boolean {
  if (identityOf(pid) === undefined) return false;
  const line = commandLineOf(pid);
  return /postgres[\0 ]-D[\0 ]/.test(line) && line.includes(cluster);
}

function pidFile(cluster: string): string[] | undefined {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Finds the processes of PostgreSQL whose working folder is `cluster`; only Linux shows them. */
function backendsOf(cluster: string): number[] {
  if (process.platform !== 'linux') return [];
  const home = realpathSync(cluster);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isBackend(pid, home) && identityOf(pid) !== undefined);
}

/** False for other processes in that folder, such as the shell of an operator. */
function isBackend(pid: number, home: string): boolean {
  const program = linkOf(pid, 'exe') ?? '';
  // The system appends " (deleted)" after an upgrade of the programs.
  return linkOf(pid, 'cwd') === home && basename(program).split(' ')[0] === 'postgres';
}

function linkOf(pid: number, name: 'cwd' | 'exe'): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/${name}`);
  } catch {
    // The process has ended or belongs to another user.
    return undefined;
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
