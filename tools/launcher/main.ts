// `npm start`: starts PostgreSQL, migrates its database, then starts the API and a worker, and restarts whichever ends.
//
// The launcher is the only process that a terminal signals. It stops its processes in the reverse order of their
// start: API and worker finish their work, PostgreSQL stops last. If it is killed, API and worker notice and end by
// themselves, PostgreSQL goes on, and the next start adopts PostgreSQL and waits until their ports are free.
// API and worker load their modules while PostgreSQL starts, which saves a quarter of the time.
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { printable } from '../../cli/output/text.js';
import {
  type Config,
  isSet,
  loadConfig,
  loadServiceConfig,
  processEnvironment,
  type ServiceConfig,
} from '../../src/config/config.js';
import { isUnavailable } from '../../src/domain/transaction/unavailable.js';
import { explainError, inDataDir } from '../../src/process/explain-error.js';
import { stopTimeouts } from '../../src/process/lifecycle.js';
import { migrateAll, warmUp } from '../../src/process/migrate-all.js';
import { apiNodeOptions, Child, type ChildPlan, workerNodeOptions } from './child-process.js';
import type { FirstAccount } from './create-first-account.js';
import { ensureDataDir, holdsDatabase } from './data-dir.js';
import {
  childSettings,
  embeddedEnvironment,
  rejectWrongKey,
  trialNotice,
} from './embedded-environment.js';
import { launcherLockFile, SupervisedPostgres } from './embedded-postgres.js';
import { type FileLock, LockHeld, takeLock } from './file-lock.js';
import { awaitPorts, type ListenAddress } from './ports.js';
import { connect } from './postgres-server.js';
import { startMessage } from './start-message.js';
import { listenForStop, type StopRequest } from './stop-request.js';

/** Options for tests and `npm run dev`. */
interface LaunchOptions {
  readonly plans?: readonly [api: ChildPlan, worker: ChildPlan];
  /** Called when both processes are ready; `restart` restarts them while PostgreSQL goes on. */
  readonly onServing?: (restart: () => Promise<unknown>) => void;
}

interface Launch extends Required<LaunchOptions> {
  readonly config: Config;
  readonly stop: StopRequest;
  readonly cleanups: Cleanups;
}

/** Actions that stop the service, in reverse order. */
type Cleanups = (() => unknown)[];

/** PostgreSQL ended while the service started. */
class PostgresLost extends Error {
  override readonly name = 'PostgresLost';
}

/** Longer than it takes to notice that somebody asked PostgreSQL to stop. */
const lossNoticeMs = 2_000;

const anyAccount = 'select 1 as found from account limit 1';

/** Prints lines, escaped: they may quote the log of PostgreSQL and names that others chose. */
const print = (text: string) =>
  void process.stdout.write(`${text.split('\n').map(printable).join('\n')}\n`);

const compiled = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const ownPlans = [
  { name: 'API', entry: compiled('src/main.js'), nodeOptions: apiNodeOptions },
  { name: 'worker', entry: compiled('workers/main.js'), nodeOptions: workerNodeOptions },
] as const;

/**
 * `npm start`: runs database, migrations, API and worker until a signal asks it to stop. Then stops
 * them in reverse order, PostgreSQL last.
 * @returns the exit code
 */
export async function launch({
  plans = ownPlans,
  onServing = () => undefined,
}: LaunchOptions = {}): Promise<number> {
  const stop = listenForStop();
  let lock: FileLock | undefined;
  try {
    // With DATABASE_URL the launcher creates no keys, so SECRET_KEY must be set.
    const config = isSet(processEnvironment, 'DATABASE_URL') ? loadServiceConfig() : loadConfig();
    const home = lockDataDir(config);
    lock = home.lock;
    await serve({ plans, onServing, config: { ...config, dataDir: home.dataDir }, stop });
    return 0;
  } catch (error) {
    if (stop.signal.aborted) return 0;
    print(describe(error));
    return 1;
  } finally {
    lock?.release();
    if (stop.signal.aborted) print('Signalpost has stopped. Your data is kept.');
  }
}

/** Runs the service until it is asked to stop. Starts again if PostgreSQL ends during the start. */
async function serve(parts: Omit<Launch, 'cleanups'>): Promise<void> {
  for (;;) {
    const cleanups: Cleanups = [];
    try {
      await run({ ...parts, cleanups });
      return;
    } catch (error) {
      if (!(error instanceof PostgresLost) || parts.stop.signal.aborted) throw error;
      print('PostgreSQL ended during the start; starting again.');
    } finally {
      await cleanUp(cleanups);
    }
  }
}

async function run({ config, plans, onServing, stop, cleanups }: Launch): Promise<void> {
  const { launcherMs } = stopTimeouts(config.webhooks.timeoutMs, config.lameDuckMs);
  const settings = childSettings(processEnvironment, config.dataDir, process.stdout.isTTY);

  const postgresStart = config.databaseUrl ? undefined : startPostgres(config.dataDir, stop.signal);

  // It may fail before somebody awaits it.
  postgresStart?.catch(() => undefined);
  cleanups.push(async () => (await postgresStart?.catch(() => undefined))?.leave(stop.forced));

  if (postgresStart) {
    const notice = trialNotice(config, processEnvironment);
    if (notice !== undefined) print(notice);
    const databaseUrl = async () => (await postgresStart).databaseUrl;
    const added = embeddedEnvironment(config, processEnvironment, databaseUrl);
    Object.assign(settings, await uninterrupted(added, stop));
  }

  // They load their modules while PostgreSQL starts, and begin once the database is migrated.
  const children = plans.map((plan) => new Child(plan, settings, print, { gated: true }));
  const stopChildren = () => Promise.all(children.map((child) => child.stop(launcherMs)));
  cleanups.push(stopChildren);
  stop.forced.addEventListener('abort', () => children.forEach((child) => child.kill()));

  const postgres = await postgresStart;
  const serviceConfig = loadServiceConfig(settings);
  const { databaseUrl } = serviceConfig;

  stop.signal.throwIfAborted();

  const applied = await uninterrupted(migrateAll(databaseUrl, { print }), stop, postgres).catch(
    (error: unknown) => {
      throw postgres ? inDataDir(error, config.dataDir) : error;
    },
  );

  if (applied.length > 0) print('Migrated the database.');
  await uninterrupted(rejectWrongKey(databaseUrl, serviceConfig.secretKeys), stop, postgres);

  await awaitPorts(listenersOf(serviceConfig), {
    // The processes of a killed launcher first finish their work.
    limitMs: postgres?.adopted ? launcherMs : 0,
    onWait: () => print('Waiting for the processes of an earlier npm start to end.'),
    signal: stop.signal,
  });

  stop.signal.throwIfAborted();

  for (const child of children) child.openStartGate();

  cleanups.push(async () => {
    print('Stopping: the API and the worker finish their current work.');
    await stopChildren();
  });

  const ready = Promise.all(children.map((child) => child.ready));
  const [api, worker] = await uninterrupted(ready, stop, postgres);
  if (!api || !worker) return;

  const restart = () => Promise.all(children.map((child) => child.restart(settings, launcherMs)));
  postgres?.onAddressChange(restart);

  // Only in the embedded database, and only now, because its key is shown once.
  const first = postgres && (await uninterrupted(makeFirstAccount(serviceConfig), stop, postgres));
  print(
    startMessage({
      api,
      worker,
      dataDir: config.dataDir,
      embeddedPort: postgres && new URL(databaseUrl).port,
      first,
    }),
  );

  for (const child of children) child.openLogGate();
  onServing(restart);
  await stop.requested;
}

/**
 * Waits for `work`, unless somebody asks the launcher to stop.
 * @throws PostgresLost if the embedded PostgreSQL ends
 */
async function uninterrupted<T>(
  work: Promise<T>,
  stop: StopRequest,
  postgres?: SupervisedPostgres,
): Promise<T> {
  const stopped = stop.requested.then(() => Promise.reject(new Error('asked to stop')));
  if (!postgres) return Promise.race([work, stopped]);
  const lost = postgres.lost.then(() => Promise.reject(new PostgresLost()));
  try {
    return await Promise.race([work, stopped, lost]);
  } catch (error) {
    // `work` may notice it before the supervision does.
    if (isUnavailable(error)) await Promise.race([lost, pause(lossNoticeMs)]);
    throw error;
  }
}

async function startPostgres(dataDir: string, signal: AbortSignal): Promise<SupervisedPostgres> {
  // A new database needs every migration: they load while initdb runs, which takes longer.
  if (!holdsDatabase(dataDir)) void warmUp().catch(() => undefined);
  return SupervisedPostgres.start(dataDir, print, signal);
}

/**
 * Creates an account with an owner and a live key if the database has no account, so that the first
 * request of a new user works.
 * @returns undefined if the database has an account
 */
async function makeFirstAccount(config: ServiceConfig): Promise<FirstAccount | undefined> {
  const client = await connect(new URL(config.databaseUrl), 'signalpost-first-account');
  try {
    if ((await client.query(anyAccount)).rows.length > 0) return undefined;
  } finally {
    await client.end();
  }
  // Only the first start loads the domain, which is large.
  const { createFirstAccount } = await import('./create-first-account.js');
  return createFirstAccount(config);
}

async function cleanUp(cleanups: Cleanups): Promise<void> {
  for (const cleanup of cleanups.toReversed()) {
    try {
      await cleanup();
    } catch (error) {
      // The remaining steps must run even when one fails.
      print(describe(error));
    }
  }
}

function listenersOf(config: Config): ListenAddress[] {
  const { host, port, internalHost, internalPort, workerPort } = config;
  return [
    { setting: 'PORT', host, port },
    { setting: 'INTERNAL_PORT', host: internalHost, port: internalPort },
    { setting: 'WORKER_PORT', host: internalHost, port: workerPort },
  ];
}

function lockDataDir({ dataDir }: Config): { dataDir: string; lock: FileLock } {
  const home = ensureDataDir(dataDir);
  try {
    return { dataDir: home, lock: takeLock(launcherLockFile(home)) };
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error;
    throw new Error(
      `Signalpost already runs on ${home} (process ${error.pid}). ` +
        'Stop it first, or set another DATA_DIR and other ports for this one.',
      { cause: error },
    );
  }
}

function describe(error: unknown): string {
  const reason = explainError(error);
  if (reason !== undefined) return reason;
  if (!(error instanceof Error)) return String(error);
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === 'EACCES' || code === 'EPERM') {
    return `Signalpost cannot use ${path ?? 'a file'}: it belongs to another user (${code}).`;
  }
  return error.message;
}
