import { expect } from 'chai';
import { after as delayed, answer } from '../support/behaviours.js';
import { createEndpoint, endpointsPath } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { FaultInjection } from '../support/fault-injection.js';
import { describeServiceOnQueues, type ServiceQueue } from '../support/queue-backends.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { reconcile } from '../support/reconciliation.js';
import { RestClient } from '../support/rest-client.js';
import { createTenant, type Tenant, callGraphql } from '../support/tenants.js';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testAuthority } from '../support/authority.js';
import { type Cluster, startCluster } from '../support/cluster.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { preloaded } from '../support/preloaded.js';
import { type ServiceProcess, startProcess, untilReady } from '../support/process.js';
import { sampleOf } from '../support/random.js';
import type { Service } from '../support/service.js';
import { spawnSync } from 'node:child_process';

const hourMs = 3_600_000;

/** The reason why tests with a network are pending; undefined when this process can make one. */
const networkMissing: string | undefined = reasonOfAbsence();

/** A client waits this long for an API before it repeats the call at the next one. */
const timeoutMs = 2_500;

const callers = 4;

/** Clients of several APIs. Each event has its own key, and is published at one API after the other. */
class NodePublisher {
  /** Ids of the acknowledged events, by key. */
  readonly acked = new Map<string, string>();
  readonly #account: string;
  readonly #token: string;
  readonly #apis: readonly Api[];
  #keys = 0;

  private constructor(account: string, token: string, apis: readonly Api[]) {
    this.#account = account;
    this.#token = token;
    this.#apis = apis;
  }

  static async create(tenant: Tenant, apis: readonly Api[]): Promise<NodePublisher> {
    const { token } = await tenant.credential({ kind: 'internal' });
    return new NodePublisher(tenant.account, token, apis);
  }

  /** Publishes under a key at one API. @returns the id of the event */
  async publishAt(api: Api, key: string): Promise<string> {
    const type = 'cart.order.completed';
    const data = sampleOf(type, { key });
    const { publishEvent } = await callGraphql<{ publishEvent: { id: string } }>(
      api,
      this.#token,
      'publishEvent',
      { input: { account: this.#account, type, subject: 'order:ord_1', key, data } },
      {},
      AbortSignal.timeout(timeoutMs),
    );
    return publishEvent.id;
  }

  /** Publishes until `done` resolves, and repeats each event until an API acknowledges it. */
  async publishUntil(done: Promise<unknown>): Promise<void> {
    const state = { going: true };
    const ended = done.finally(() => (state.going = false));
    const calling = Array.from({ length: callers }, async () => {
      while (state.going) await this.#publish();
    });
    await Promise.all([ended, ...calling]);
  }

  /** Resolves when as many more events are acknowledged. */
  async flow(events: number): Promise<void> {
    const before = this.acked.size;
    await eventually(
      () => expect(this.acked.size).to.be.at.least(before + events),
      'events are acknowledged',
    );
  }

  async #publish(): Promise<void> {
    this.#keys += 1;
    const key = `key-${this.#keys}`;
    let next = this.#keys;
    const id = await eventually(
      () => this.publishAt(this.#apis[(next += 1) % this.#apis.length]!, key),
      `${key} is acknowledged`,
    );
    this.acked.set(key, id);
  }
}

if (networkMissing !== undefined) {
  const reason = networkMissing;
  describe('APIs and workers on several nodes', () => void it(reason));
} else {
  describeServiceOnQueues('three APIs and four workers, each on a node of its own', (create) => {
    let nodes: ServiceNodes;
    let receiver: Receiver;
    let tenant: Tenant;
    let publisher: NodePublisher;
    let apis: readonly ServiceNode[];
    let workers: readonly ServiceNode[];

    before(async function () {
      nodes = await openServiceNodes(create);
      const { host } = nodes.network;
      receiver = await startReceiver({ host, certificate: { names: [host] } });
      apis = await Promise.all([0, hourMs, -hourMs].map((offset) => nodes.start('api', offset)));
      workers = await Promise.all(
        [0, hourMs, -hourMs, 0].map((offset) => nodes.start('worker', offset)),
      );
      const { database } = nodes;
      tenant = await createTenant({ ...apis[0]!, database });
      publisher = await NodePublisher.create(tenant, apis);
      await createEndpoint(tenant.rest, { url: receiver.url() });
    });

    after(async () => {
      await nodes.stop();
      await receiver.close();
    });

    const requestsFrom = ({ address }: ServiceNode) =>
      receiver.requests.filter(({ from }) => from === address);

    /** Cuts a worker off while the receiver has requests whose responses never arrive. */
    const cutDuringAttempts = async (): Promise<ServiceNode> => {
      receiver.always(delayed(500, answer(200)));
      const worker = await eventually(() => {
        const newest = receiver.requests.at(-1);
        const target = workers.find(({ address }) => address === newest?.from);
        if (!target || newest?.answered !== undefined) throw new Error('none is in flight');
        return target;
      }, 'a worker has an attempt in flight');
      worker.cut();
      receiver.always(answer(200));
      return worker;
    };

    it('loses nothing while nodes are cut off, and refuses the late results of a worker', async function () {
      const injection = new FaultInjection('nodes cut off');
      this.timeout(injection.limitMs);

      const [, api] = apis as [ServiceNode, ServiceNode];
      let backMs = 0;
      await publisher.publishUntil(
        injection.repeat(async () => {
          await publisher.flow(40);

          const worker = await cutDuringAttempts();
          api.cut();
          await injection.holdFault();
          await publisher.flow(10);

          const late = worker.process.lines.length;
          const before = requestsFrom(worker).length;
          const joinedAt = performance.now();

          for (const node of [api, worker]) node.join();
          await eventually(() => publisher.publishAt(api, `back-${joinedAt}`), 'the API is back');

          await eventually(
            () => expect(requestsFrom(worker).length).to.be.above(before),
            'the worker delivers again',
          );

          backMs = Math.max(backMs, Math.round(performance.now() - joinedAt));

          await eventually(() => {
            const lines = worker.process.lines.slice(late);
            expect(lines.some((line) => line.includes('attempt not recorded'))).to.equal(true);
          }, 'its late results are refused');
        }),
      );

      const { database, redisUrl } = nodes;
      const { acked } = publisher;
      await reconcile(
        'nodes cut off',
        { acked: [...acked.values()], redisUrl, receiver, database },
        { injected: injection.injected, figures: { back_ms: backMs } },
      );

      expect(
        await database.query(
          `select event_id, attempt from delivery group by event_id, attempt having count(*) > 1`,
        ),
        'attempts that were recorded twice',
      ).to.deep.equal([]);

      expect(
        await database.query(
          `select id from delivery where abs(extract(epoch from created_at - now())) > 600`,
        ),
        'records with the date of a process',
      ).to.deep.equal([]);

      const [stored] = await database.query(
        `select (select count(*)::int from event) as events,
                (select count(*)::int from publish_key) as keys`,
      );

      const published = acked.size + injection.injected;
      expect(stored).to.deep.equal({ events: published, keys: published });

      for (const { process, address } of [...apis, ...workers]) {
        expect(process.running, `${address}: ${process.lines.slice(-3).join('\n')}`).to.equal(true);
      }
    });

    it('PostgreSQL ends the transaction that a cut-off API leaves open, with its locks', async function () {
      const { database } = nodes;
      const [first, , api] = apis as [ServiceNode, ServiceNode, ServiceNode];
      const { id } = await createEndpoint(tenant.rest, { url: receiver.url() });
      const changeAt = ({ url }: ServiceNode, description: string, key: string) => {
        const body = { description, event_types: ['invoice.issued'] };
        return new RestClient(url, tenant.rest.token).patch(`${endpointsPath}/${id}`, body, {
          key,
        });
      };

      const holder = await database.hold('lock table event_type in access exclusive mode');
      const asked = changeAt(api, 'cut off', 'cut').catch(() => undefined);

      await eventually(async () => {
        const waiting = await database.query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        );
        expect(waiting).not.to.have.lengthOf(0);
      }, 'the change waits inside its transaction');

      api.cut();
      await holder.release();

      const leftAt = performance.now();
      try {
        // Under its key, and as another change of the same endpoint.
        for (const [description, key] of [
          ['cut off', 'cut'],
          ['another', 'other'],
        ] as const) {
          await eventually(async () => {
            const reply = await changeAt(first, description, key);
            expect(reply.status, reply.text).to.equal(200);
          }, `the change under ${key} is made`);
        }

        expect(performance.now() - leftAt, 'ms until the locks are gone').to.be.below(25_000);
      } finally {
        api.join();
        await asked;
      }
    });
  });
}

/** A process on a node of its own, with a clock of its own. */
interface ServiceNode extends NetworkNode {
  readonly process: ServiceProcess;
  /** Only APIs have it. */
  readonly url: string;
  /** The internal listener, or that of a worker. */
  readonly internalUrl: string;
}

/** A network with PostgreSQL, on which processes of the service run. */
interface ServiceNodes {
  readonly network: TestNetwork;
  /** The Redis of the queue; undefined for the queue on PostgreSQL. */
  readonly redisUrl: string | undefined;
  readonly database: TestDatabase;
  start(kind: 'api' | 'worker', clockOffsetMs: number): Promise<ServiceNode>;
  stop(): Promise<void>;
}

/** Opens a network with its own PostgreSQL and queue, which nodes reach by the address of the bridge. */
async function openServiceNodes(
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

/** An API as its clients know it. */
type Api = Pick<Service, 'internalUrl'>;

/** A network of this machine: nodes with addresses of their own, on a bridge that this machine is on, too. */
interface TestNetwork {
  /** The address by which nodes reach this machine. */
  readonly host: string;
  /** Adds a node. */
  node(): NetworkNode;
  close(): void;
}

/** A network namespace with one interface. */
interface NetworkNode {
  readonly address: string;
  /** The command that starts a process in it. */
  readonly within: readonly string[];
  /** Drops all packets from and to the node. Neither side gets an error. */
  cut(): void;
  /** Undoes {@link NetworkNode.cut}. */
  join(): void;
}

function reasonOfAbsence(): string | undefined {
  if (process.getuid?.() !== 0)
    return 'only root can make network namespaces: run as root to run this';

  try {
    const network = openNetwork();
    try {
      network.node();
    } finally {
      network.close();
    }
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `cannot make network namespaces (Debian: iproute2, and the right to use it): ${reason}`;
  }
}

/** Makes a network, of private addresses that few networks use. */
function openNetwork(): TestNetwork {
  const { pid } = process;
  const bridge = `sp${pid}`;
  const subnet = `10.${218 + ((pid >> 8) % 32)}.${pid % 256}`;
  const host = `${subnet}.1`;
  const names: string[] = [];
  const close = () => {
    process.off('exit', close);
    for (const name of names) {
      // Without this it would stay until the namespace is gone, which takes a while.
      ip('link', 'del', name);
      ip('netns', 'del', name);
    }
    ip('link', 'del', bridge);
  };

  ip('link', 'add', bridge, 'address', hardwareAddress(1), 'type', 'bridge');
  process.once('exit', close);
  ip('addr', 'add', `${host}/24`, 'dev', bridge);
  ip('link', 'set', bridge, 'up');

  return {
    host,
    node() {
      const number = names.length + 2;
      const name = `${bridge}-${number}`;
      const address = `${subnet}.${number}`;

      ip('netns', 'add', name);
      names.push(name);

      const hardware = hardwareAddress(number);
      ip(
        'link',
        'add',
        name,
        'master',
        bridge,
        'type',
        'veth',
        'peer',
        'name',
        'eth0',
        'address',
        hardware,
        'netns',
        name,
      );

      ip('link', 'set', name, 'up');
      ip('-n', name, 'link', 'set', 'lo', 'up');
      ip('-n', name, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
      ip('-n', name, 'link', 'set', 'eth0', 'up');

      // Neither side asks for the other's hardware address: without a response it would get an error.
      knows([], address, hardware, bridge);
      knows(['-n', name], host, hardwareAddress(1), 'eth0');

      return {
        address,
        within: ['ip', 'netns', 'exec', name],
        // The interface stays up, but nothing is at its other end.
        cut: () => ip('link', 'set', name, 'nomaster'),
        join: () => ip('link', 'set', name, 'master', bridge),
      };
    },
    close,
  };
}

function knows(where: readonly string[], address: string, hardware: string, device: string): void {
  ip(...where, 'neigh', 'replace', address, 'lladdr', hardware, 'nud', 'permanent', 'dev', device);
}

/** @param number the last part of the address of its host */
function hardwareAddress(number: number): string {
  return `02:53:50:00:00:${number.toString(16).padStart(2, '0')}`;
}

function ip(...words: readonly string[]): void {
  const { error, status, stderr } = spawnSync('ip', words, { encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`ip ${words.join(' ')}: ${stderr.trim()}`);
}
