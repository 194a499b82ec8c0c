import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { Sealer } from '../src/domain/values/sealer.js';
import { apiNodeOptions, workerNodeOptions } from '../tools/launcher/child-process.js';
import { freePort } from '../tools/launcher/ports.js';
import { run } from '../src/database/database.js';
import { sendSignal } from '../src/domain/transaction/wakeup.js';
import { migrateAll } from '../src/process/migrate-all.js';
import { createWakeupPublisher } from '../src/queue/producer.js';
import { testAuthority } from '../test/support/authority.js';
import { startCluster } from '../test/support/cluster.js';
import { type RedisServer, redisMissing, startRedis } from '../test/support/redis.js';
import { type Receiver, startReceiver } from './receiver.js';
import { setTimeout as pause } from 'node:timers/promises';
import { fetch } from 'undici';

/** The key of the benchmarked service and of the hand-written routes. */
export const benchKey = Buffer.alloc(32, 5);
export const benchSealer = new Sealer([{ id: 'b1', key: benchKey }]);

const databaseProcesses = ['API', 'worker', 'hand-written'] as const;
type DatabaseProcess = (typeof databaseProcesses)[number];

/** One process of the service. It logs to a file at the default level. */
export interface BenchProcess {
  readonly pid: number;
  /** The port of /readyz. */
  readonly port: number;
  end(): Promise<void>;
}

/** What all benchmarks share: a durable PostgreSQL, a TLS receiver and a folder for logs. */
export interface BenchService {
  readonly databaseUrl: string;
  /** The URL for a process. It has a role of its own, by which its statements are counted. */
  readonly urlOf: (process: DatabaseProcess) => string;
  readonly query: <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;
  readonly receiver: Receiver;
  /** The certificate of the receiver, in PEM; other receivers may use it too. */
  readonly certificate: { readonly cert: string; readonly key: string };
  readonly receiverOrigin: string;
  /** The pid of the postmaster. */
  readonly postgresPid: number;
  /** The pid of the queue's Redis; undefined for the queue on PostgreSQL. */
  readonly redisPid: number | undefined;
  readonly caFile: string;
  readonly logFile: string;
  readonly startApi: () => Promise<BenchProcess & { readonly restPort: number }>;
  /** @param options of Node, besides those of the launcher */
  readonly startWorker: (
    options?: readonly string[],
    changes?: Readonly<Record<string, string>>,
  ) => Promise<BenchProcess>;
  /** Wakes a worker, as the API does after it accepts events. */
  readonly wake: () => void;
  readonly clear: () => Promise<void>;
}

/**
 * Starts PostgreSQL and the receiver; `clear` stops them and removes the data.
 * @param redis the Redis of the queue; undefined for the queue on PostgreSQL
 * @param bin the folder of PostgreSQL's programs; defaults to the bundled ones
 */
async function startBenchService(
  redis: RedisServer | undefined,
  bin?: string,
): Promise<BenchService> {
  const redisUrl = redis?.url;
  const cluster = await startCluster({
    durable: true,
    bin,
    settings: { shared_preload_libraries: 'pg_stat_statements' },
  });

  const databaseUrl = cluster.url('postgres');
  await migrateAll(databaseUrl);

  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  const wakeupPublisher = createWakeupPublisher({
    databaseUrl,
    redisUrl,
    onError: () => undefined,
    signal: (kind) => sendSignal({ sql: (...query) => run(pool, ...query) }, kind),
  });

  // The last connections may break when the server stops.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));

  const authority = await testAuthority();
  const { cert, key } = await authority.issue();
  const receiver = await startReceiver(cert, key);
  const folder = mkdtempSync(join(tmpdir(), 'signalpost-bench-'));
  const logFile = join(folder, 'log');
  const urlOf = (process: DatabaseProcess) => {
    const url = new URL(databaseUrl);
    url.username = process;
    return url.href;
  };

  const environment = async (process: DatabaseProcess): Promise<Record<string, string>> => ({
    DATABASE_URL: urlOf(process),
    SECRET_KEY: `b1:${benchKey.toString('base64')}`,
    WEBHOOKS_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    WEBHOOKS_CA_FILE: authority.caFile,
    RATE_LIMIT: '100000000',
    PORT: String(await freePort()),
    INTERNAL_PORT: String(await freePort()),
    WORKER_PORT: String(await freePort()),
    ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
  });

  const query = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await pool.query<Row>(text, values)).rows;
  await countStatements(query, false);
  for (const process of databaseProcesses)
    await query(`create role "${process}" superuser login password 'test'`);

  return {
    databaseUrl,
    urlOf,
    query,
    receiver,
    certificate: { cert, key },
    postgresPid: cluster.pid,
    redisPid: redis?.pid,
    receiverOrigin: `https://localhost:${receiver.port}`,
    caFile: authority.caFile,
    logFile,
    async startApi() {
      const settings = await environment('API');
      const port = Number(settings['INTERNAL_PORT']);
      const api = await startOne('src/main.js', settings, port, logFile, apiNodeOptions);
      return { ...api, restPort: Number(settings['PORT']) };
    },
    async startWorker(options = [], changes = {}) {
      const settings = { ...(await environment('worker')), ...changes };
      const port = Number(settings['WORKER_PORT']);
      return startOne('workers/main.js', settings, port, logFile, [
        ...workerNodeOptions,
        ...options,
      ]);
    },
    wake: () => wakeupPublisher.wake([{ kind: 'due' }]),
    async clear() {
      await wakeupPublisher.close();
      await pool.end();
      await receiver.end();
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Switches pg_stat_statements. It is off except while statements are counted, because it costs time. */
export async function countStatements(query: BenchService['query'], on: boolean): Promise<void> {
  await query(`alter system set pg_stat_statements.track = '${on ? 'top' : 'none'}'`);
  await query('select pg_reload_conf()');
}

async function startOne(
  entry: string,
  settings: Record<string, string>,
  port: number,
  logFile: string,
  nodeOptions: readonly string[],
): Promise<BenchProcess> {
  const log = openSync(logFile, 'a');
  const path = fileURLToPath(new URL(`../${entry}`, import.meta.url));
  const child = spawn(process.execPath, [...nodeOptions, path], {
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', log, log, 'ipc'],
  });

  closeSync(log);

  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));

  await waitUntilReady(port, () => {
    if (child.exitCode !== null)
      throw new Error(`${entry} ended before it was ready: see ${logFile}`);
  });

  return { pid: child.pid ?? -1, port, end: () => endOf(child) };
}

async function endOf(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

/** The value of `--postgres` for the bundled programs. */
const bundled = 'bundled';

/** Where Debian's packages have PostgreSQL, one folder for each version. */
const packages = '/usr/lib/postgresql';

/** What the options of the command choose. */
interface ServerOptions {
  /** Defaults to both, where both are measured. */
  readonly queue: 'PostgreSQL' | 'Redis' | undefined;
  /** The folder of PostgreSQL's programs, or `bundled`. */
  readonly postgres: string | undefined;
  readonly progress: (line: string) => void;
}

/** @param onAnother runs on one more cluster, of the same PostgreSQL, with the queue on it */
type Bench<Figures> = (
  service: BenchService,
  onAnother: Servers['onBenchService'],
) => Promise<Figures>;

/** Starts the servers of a benchmark and stops them after it. */
interface Servers {
  /** Runs it on a cluster of its own, with the queue on PostgreSQL. */
  readonly onBenchService: <Figures>(bench: Bench<Figures>) => Promise<Figures>;
  /** @returns the figures by queue */
  readonly onQueues: <Figures>(bench: Bench<Figures>) => Promise<Record<string, Figures>>;
  /**
   * Runs it on the chosen PostgreSQL. Defaults to the bundled one and those of Debian's packages: only
   * these have JIT.
   * @returns the figures by folder of PostgreSQL's programs, then by queue
   */
  readonly onServers: <Figures>(
    bench: Bench<Figures>,
  ) => Promise<Record<string, Record<string, Figures>>>;
}

/** @throws Error when the folder has no PostgreSQL */
export function chooseServers({ queue, postgres, progress }: ServerOptions): Servers {
  const chosen = postgres === bundled ? undefined : postgres;
  if (chosen !== undefined && !hasPostgres(chosen))
    throw new Error(
      `--postgres: ${chosen} has no initdb. Name the folder of PostgreSQL's programs.`,
    );

  const onQueuesOf = async <Figures>(bench: Bench<Figures>, bin: string | undefined) => {
    const figures: Record<string, Figures> = {};
    if (queue !== 'Redis') figures['PostgreSQL'] = await onService(bench, undefined, bin);
    if (queue === 'PostgreSQL') return figures;
    if (redisMissing === undefined) {
      const redis = await startRedis();
      figures['Redis'] = await onService(bench, redis, bin);
      await redis.stop();
    } else progress(redisMissing);
    return figures;
  };

  return {
    onBenchService: (bench) => onService(bench, undefined, chosen),
    onQueues: (bench) => onQueuesOf(bench, chosen),
    async onServers(bench) {
      if (postgres !== undefined) return { [postgres]: await onQueuesOf(bench, chosen) };
      const figures = { [bundled as string]: await onQueuesOf(bench, undefined) };
      const folders = packagedFolders();
      if (folders.length === 0)
        progress(`${packages} has no PostgreSQL: measured on the bundled one`);
      for (const bin of folders) figures[bin] = await onQueuesOf(bench, bin);
      return figures;
    },
  };
}

async function onService<Figures>(
  bench: Bench<Figures>,
  redis: RedisServer | undefined,
  bin: string | undefined,
): Promise<Figures> {
  const service = await startBenchService(redis, bin);
  try {
    return await bench(service, (another) => onService(another, undefined, bin));
  } finally {
    await service.clear();
  }
}

function packagedFolders(): string[] {
  const versions = existsSync(packages) ? readdirSync(packages).sort() : [];
  return versions.map((version) => join(packages, version, 'bin')).filter(hasPostgres);
}

function hasPostgres(bin: string): boolean {
  return existsSync(join(bin, 'initdb'));
}

/** The processes may still be finishing what was caused before, such as the wake-up of the next second. */
const calmMs = 1_000;

/** Connections may have been closed since the last turn, and statements are planned again after a vacuum. */
const warmUpMs = 250;

/**
 * Leaves nothing of the last load that the next one would pay for: dead rows, old statistics, dirty pages.
 * @param warmUp runs the next load for some milliseconds
 */
export async function becomeCalm(
  { query }: Pick<BenchService, 'query'>,
  warmUp: (forMs: number) => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  await query('vacuum analyze');
  await query('checkpoint');
  await warmUp(warmUpMs);
  await pause(calmMs);
}

const pollIntervalMs = 5;
const limitMs = 60_000;

/**
 * Resolves at the first 200 of `/readyz` on `port` of this machine, at most 5 ms late.
 * @param alive throws when the process has ended
 * @throws Error after 60 s
 */
export async function waitUntilReady(
  port: number,
  alive: () => void = () => undefined,
): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    const status = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (response) => response.status,
      () => undefined,
    );
    if (status === 200) return;
    alive();
    if (performance.now() - startedAt > limitMs)
      throw new Error(`Timed out after ${limitMs} ms waiting for /readyz on port ${port}.`);
    await pause(pollIntervalMs);
  }
}
