import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testAuthority } from './authority.js';
import { type Cluster, startCluster } from './cluster.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { type NetworkNode, openNetwork, type TestNetwork } from './network.js';
import { preloaded } from './preloaded.js';
import type { ServiceQueue } from './queue-backends.js';
import { type ServiceProcess, startProcess, untilReady } from './process.js';

/** A process on a node of its own, with a clock of its own. */
export interface ServiceNode extends NetworkNode {
  readonly process: ServiceProcess;
  /** Only APIs have it. */
  readonly url: string;
  /** The internal listener, or that of a worker. */
  readonly internalUrl: string;
}

/** A network with PostgreSQL, on which processes of the service run. */
export interface ServiceNodes {
  readonly network: TestNetwork;
  /** The Redis of the queue; undefined for the queue on PostgreSQL. */
  readonly redisUrl: string | undefined;
  readonly database: TestDatabase;
  start(kind: 'api' | 'worker', clockOffsetMs: number): Promise<ServiceNode>;
  stop(): Promise<void>;
}

/** Opens a network with its own PostgreSQL and queue, which nodes reach by the address of the bridge. */
export async function openServiceNodes(
  openQueue: (host: string) => Promise<ServiceQueue>,
): Promise<ServiceNodes> {
  const folder = mkdtempSync(join(tmpdir(), 'signalpost-nodes-'));
  chmodSync(folder, 0o755);
  const accessFile = join(folder, 'pg_hba.conf');
  writeFileSync(accessFile, 'host all all 0.0.0.0/0 scram-sha-256\n', { mode: 0o644 });
  const network = openNetwork();
  // Each process ends with this one.
  process.setMaxListeners(process.getMaxListeners() + 10);
  const queue = await openQueue(network.host);
  const settings = { listen_addresses: `127.0.0.1,${network.host}`, hba_file: accessFile };
  const cluster: Cluster = await startCluster({ settings });
  const database = await createTestDatabase(cluster);
  const databaseUrl = new URL(database.url);
  databaseUrl.hostname = network.host;
  const running: ServiceNode[] = [];
  return {
    network,
    redisUrl: queue.redisUrl,
    database,
    async start(kind, clockOffsetMs) {
      const node = network.node();
      const environment = {
        DATABASE_URL: databaseUrl.href,
        SECRET_KEY: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
        HOST: node.address,
        INTERNAL_HOST: node.address,
        BASE_URL: `http://${node.address}:8080`,
        // A lease is the timeout plus 4 s.
        WEBHOOKS_TIMEOUT: '1s',
        // Attempts on a busy machine may fail more than once.
        WEBHOOKS_RETRY_SCHEDULE: '1s,2s,4s,8s,8s,8s',
        WEBHOOKS_ALLOW_PRIVATE_TARGETS: `${network.host}/32`,
        WEBHOOKS_CA_FILE: (await testAuthority()).caFile,
        RATE_LIMIT: '1000000',
        ...(queue.redisUrl !== undefined && { REDIS_URL: queue.redisUrl }),
        ...preloaded('preload-shifted-clock'),
        CLOCK_OFFSET_MS: String(clockOffsetMs),
      };
      const entry = kind === 'api' ? 'src/main.js' : 'workers/main.js';
      const started: ServiceNode = {
        ...node,
        process: startProcess(entry, environment, [], node.within),
        url: `http://${node.address}:8080`,
        internalUrl: `http://${node.address}:${kind === 'api' ? 8081 : 8082}`,
      };
      running.push(started);
      await untilReady(started.process, started.internalUrl);
      return started;
    },
    async stop() {
      // Those that are cut off would wait for their servers.
      const alive = running.filter(({ process }) => process.running);
      await Promise.all(alive.map(({ process }) => process.end('SIGKILL')));
      await database.drop();
      await cluster.stop();
      await queue.drop();
      network.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
