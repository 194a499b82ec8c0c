import { join } from 'node:path';
import { testAuthority } from './authority.js';
import { freePort } from '../../tools/launcher/ports.js';
import type { Cluster } from './cluster.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { startProcess, type ServiceProcess, untilReady } from './process.js';
import { afterAllTests } from './teardown.js';

/** The options of a test's service; everything else is as in production. */
interface ServiceOptions {
  /** The database, which the caller drops. Defaults to one that is dropped when the service stops. */
  readonly database?: TestDatabase;
  /** The `dist` of another version. Defaults to that of this version. */
  readonly build?: string | undefined;
  /** Environment variables of both processes, in addition to the defaults or instead of them. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The port of a proxy through which both processes reach PostgreSQL. */
  readonly databasePort?: number;
  /** The cluster of its database. Defaults to the shared cluster of the test run. */
  readonly cluster?: Cluster;
  /** The number of worker processes. Defaults to 1. */
  readonly workers?: number;
}

/** The real service: an API process and worker processes on their own database. */
export interface Service {
  /** The URL of the public REST listener. */
  readonly url: string;
  /** The URL of the internal listener (GraphQL, health, metrics). */
  readonly internalUrl: string;
  readonly database: TestDatabase;
  readonly environment: Readonly<Record<string, string>>;
  readonly api: ServiceProcess;
  readonly workers: WorkerProcess[];
  /** Starts the API process, with `changes` of its settings, and waits until it is ready. */
  startApi(changes?: Readonly<Record<string, string>>): Promise<ServiceProcess>;
  /** Starts one more worker process and waits until it is ready. */
  startWorker(): Promise<WorkerProcess>;
  stop(): Promise<void>;
}

const testKey = `t1:${Buffer.alloc(32, 3).toString('base64')}`;

/** Starts the service of a test; call `stop` in `after`. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const database = options.database ?? (await createTestDatabase(options.cluster));
  const port = await freePort();
  const internalPort = await freePort();
  const environment: Record<string, string> = {
    DATABASE_URL: throughPort(database.url, options.databasePort),
    SECRET_KEY: testKey,
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    INTERNAL_PORT: String(internalPort),
    WEBHOOKS_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    WEBHOOKS_CA_FILE: (await testAuthority()).caFile,
    SANDBOX_PAYMENTS: '1',
    RATE_LIMIT: '1000000',
    ...options.environment,
  };

  const entry = (path: string) => join(options.build ?? '', path);
  const state: { api?: ServiceProcess } = {};
  const workers: WorkerProcess[] = [];
  const service: Service = {
    url: `http://127.0.0.1:${port}`,
    internalUrl: `http://127.0.0.1:${internalPort}`,
    database,
    environment,
    workers,
    get api() {
      if (!state.api) throw new Error('the API process was not started');
      return state.api;
    },
    async startApi(changes = {}) {
      state.api = startProcess(entry('src/main.js'), { ...environment, ...changes });
      await untilReady(state.api, service.internalUrl);
      return state.api;
    },
    async startWorker() {
      const workerPort = await freePort();
      const worker = Object.assign(
        startProcess(entry('workers/main.js'), { ...environment, WORKER_PORT: String(workerPort) }),
        { healthUrl: `http://127.0.0.1:${workerPort}` },
      );
      workers.push(worker);
      await untilReady(worker, worker.healthUrl);
      return worker;
    },
    async stop() {
      const running = [...workers, ...(state.api ? [state.api] : [])].filter((one) => one.running);
      await Promise.all(running.map((one) => one.end()));
      if (options.database === undefined) await database.drop();
    },
  };
  try {
    await Promise.all([
      service.startApi(),
      ...Array.from({ length: options.workers ?? 1 }, () => service.startWorker()),
    ]);
  } catch (error) {
    // Processes that run would keep the test run from ending.
    await service.stop();
    throw error;
  }

  return service;
}

function throughPort(address: string, port: number | undefined): string {
  if (port === undefined) return address;
  const url = new URL(address);
  url.port = String(port);
  return url.href;
}

let common: Promise<Service> | undefined;

/** Returns the service that tests without special needs share; it stops at the end of the run. */
export function sharedService(): Promise<Service> {
  common ??= startService();
  return common;
}

// This is registered after the stop of the cluster, so it runs before that.
afterAllTests(async () => {
  await (await common?.catch(() => undefined))?.stop();
  common = undefined;
});

/** A real worker process and the URL of its health listener. */
export interface WorkerProcess extends ServiceProcess {
  readonly healthUrl: string;
}

/** Starts a worker that may deliver to loopback, and waits until it is ready. */
export async function startWorker(
  environment: Readonly<Record<string, string>>,
): Promise<WorkerProcess> {
  const port = await freePort();
  const worker = startProcess('workers/main.js', {
    SECRET_KEY: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
    WEBHOOKS_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    WEBHOOKS_CA_FILE: (await testAuthority()).caFile,
    WORKER_PORT: String(port),
    ...environment,
  });
  const healthUrl = `http://127.0.0.1:${port}`;
  await untilReady(worker, healthUrl);
  return Object.assign(worker, { healthUrl });
}
