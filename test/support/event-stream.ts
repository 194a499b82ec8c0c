import type { Database } from '../../src/database/database.js';
import { SubjectOrder } from '../../src/domain/delivery/subject-order.js';
import { publishEvent } from '../../src/domain/event/publish.js';
import { createWakeupPublisher, type WakeupPublisher } from '../../src/queue/producer.js';
import { atIntervals, eventually } from './eventually.js';
import type { TestDatabase } from './database.js';
import { insertAccount, insertEndpoint, endLeases, eventType } from './engine.js';
import { type Receiver, startReceiver } from './receiver.js';
import type { TestQueue } from './queue-backends.js';
import { reconcile, type Reconciliation, type ReconciliationOptions } from './reconciliation.js';
import { startWorker, type WorkerProcess, type Service, startService } from './service.js';
import { get, type ClientRequest, type IncomingMessage } from 'node:http';
import type { Cluster } from './cluster.js';
import { createEndpoint } from './endpoints.js';
import { createTenant, GraphqlRefusal, type Tenant } from './tenants.js';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { smallestId } from '../../src/domain/values/id.js';
import type { Random } from '../../tools/seed/random.js';

/** A stream of events to one receiver, with the reconciliation of its deliveries. */
export interface EventStream {
  readonly database: TestDatabase;
  /** The account of the events. */
  readonly account: string;
  readonly receiver: Receiver;
  readonly workers: WorkerProcess[];
  /** Starts one more worker process; only this one gets the settings `more`. */
  startWorker(more?: Readonly<Record<string, string>>): Promise<WorkerProcess>;
  /** Publishes one event, which is acknowledged when this resolves. @returns its id */
  publish(subject?: string): Promise<string>;
  /** Publishes at most 100 events per second until `done` resolves. */
  publishUntil(done: Promise<unknown>): Promise<void>;
  /** Expires all leases and the isolation lock. Call it only while no running worker holds one. */
  endLeases(): Promise<void>;
  /** Reconciles everything acknowledged so far. @see reconcile */
  close(title: string, options?: ReconciliationOptions): Promise<Reconciliation>;
  drop(): Promise<void>;
}

/** Opens a stream on this queue; all workers get `environment`. */
export async function openEventStream(
  queue: TestQueue,
  environment: Readonly<Record<string, string>> = {},
): Promise<EventStream> {
  const { database } = queue;
  const wakeupPublisher: WakeupPublisher = createWakeupPublisher({
    ...queue,
    onError: () => undefined,
  });
  const order = new SubjectOrder({ database: () => domain, onError: () => undefined });
  const domain: Database = await database.open({
    wake: (wakeups) => {
      wakeupPublisher.wake(wakeups);
      order.published(wakeups);
    },
  });
  const account = await insertAccount(database);
  const receiver = await startReceiver();
  await insertEndpoint(database, account, `url = '${receiver.url('/hook')}'`);

  const acked = new Set<string>();
  const workers: WorkerProcess[] = [];
  const stream: EventStream = {
    database,
    account,
    receiver,
    workers,
    async startWorker(more = {}) {
      const worker = await startWorker({
        DATABASE_URL: database.url,
        WEBHOOKS_TIMEOUT: '1s',
        ...(queue.redisUrl !== undefined && { REDIS_URL: queue.redisUrl }),
        ...environment,
        ...more,
      });
      workers.push(worker);
      return worker;
    },
    async publish(subject = 's') {
      const { id } = await domain.transact((tx) =>
        publishEvent(tx, account, { type: eventType, subject, data: {}, test: false }),
      );
      acked.add(id);
      return id;
    },
    async endLeases() {
      await endLeases(database);
      await database.query("update isolation_lock set until = '-infinity'");
    },
    async publishUntil(done) {
      const state = { going: true };
      const ended = done.finally(() => (state.going = false));
      for await (const going of atIntervals(10, state)) {
        if (!going.going) break;
        await stream.publish();
      }
      await ended;
    },
    close: (title, options) => reconcile(title, { ...queue, acked, receiver, database }, options),
    async drop() {
      await Promise.all(workers.filter(({ running }) => running).map((worker) => worker.end()));
      await order.stop();
      await wakeupPublisher.close();
      await receiver.close();
    },
  };
  return stream;
}

/** One frame of a stream. */
interface SseFrame {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

interface SseOptions {
  readonly token: string;
  readonly query?: string;
  readonly lastEventId?: string | undefined;
}

/** A client of a live stream, or what the service answered in place of one. */
export class SseClient {
  readonly frames: SseFrame[] = [];
  readonly #request: ClientRequest;
  #rest = '';
  /** The comments so far. */
  heartbeats = 0;
  #ended = false;
  response!: IncomingMessage;
  /** The body of a response that is not a stream. */
  problem = '';

  private constructor(url: string, { token, query = '', lastEventId }: SseOptions) {
    const headers = {
      Authorization: `Bearer ${token}`,
      ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
    };
    this.#request = get(`${url}/stream${query}`, { headers, agent: false });
  }

  /** Resolves with the headers of the response; for a Problem, with its body. */
  static async open(url: string, options: SseOptions): Promise<SseClient> {
    const client = new SseClient(url, options);
    await new Promise<void>((resolve, reject) => {
      client.#request.on('error', reject);

      client.#request.on('response', (response) => {
        client.#request.on('error', () => undefined);
        client.response = response;
        response.setEncoding('utf8');
        response.on('error', () => undefined);
        response.on('close', () => (client.#ended = true));
        if (response.statusCode === 200) {
          response.on('data', (text: string) => client.#take(text));
          resolve();
        } else {
          response.on('data', (text: string) => (client.problem += text));
          response.on('end', resolve);
        }
      });
    });

    return client;
  }

  /** The position of the last frame that has one. */
  get lastEventId(): string | undefined {
    return this.frames.findLast(({ id }) => id !== undefined)?.id;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** The ids of the items of a kind, in their order. */
  ids(event: string): string[] {
    return this.of(event).map(({ data }) => String(data['id']));
  }

  of(event: string): SseFrame[] {
    return this.frames.filter((frame) => frame.event === event);
  }

  /** Waits until it has caught up with the service. */
  async joined(): Promise<this> {
    await eventually(() => {
      if (this.of('position').length === 0) throw new Error('The client has not caught up.');
    }, 'the client has caught up');
    return this;
  }

  /** Stops reading, as a hanging client does. */
  pause(): void {
    this.response.pause();
  }

  /** Continues reading. */
  resume(): void {
    this.response.resume();
  }

  close(): void {
    this.#request.destroy();
  }

  #take(text: string): void {
    const blocks = (this.#rest + text).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) {
      if (block.includes(': heartbeat\n')) this.heartbeats += 1;
      const field = (name: string) =>
        block
          .split('\n')
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2);
      const data = JSON.parse(field('data') ?? '{}') as SseFrame['data'];
      this.frames.push({ event: field('event') ?? '', id: field('id'), data });
    }
  }
}

/** A stream of events through the API of a whole service, with the reconciliation of its deliveries. */
export interface ApiEventStream {
  readonly service: Service;
  readonly tenant: Tenant;
  readonly receiver: Receiver;
  /** The signing secret of the endpoint. */
  readonly secret: string;
  /** Ids of the acknowledged events, by idempotency key. */
  readonly acked: ReadonlyMap<string, string>;
  /** The number of publishes without an acknowledgement, by status and code, or by the error of the connection. */
  readonly refusals: ReadonlyMap<string, number>;
  /** Publishes one event with its own key. */
  publish(): Promise<void>;
  /** Publishes until `done` resolves. Repeats each event with the same key until it is acknowledged. */
  publishUntil(done: Promise<unknown>): Promise<void>;
  /** Reconciles everything acknowledged so far. @see reconcile */
  close(title: string, options?: ReconciliationOptions): Promise<Reconciliation>;
  drop(): Promise<void>;
}

/** The number of callers; each publishes one event after the other. */
const callers = 3;

/** Opens a stream on its own service. @param cluster the cluster of the database of the service */
export async function openApiEventStream({
  redisUrl,
  cluster,
  workers = 1,
}: {
  readonly redisUrl?: string | undefined;
  readonly cluster?: Cluster;
  readonly workers?: number;
}): Promise<ApiEventStream> {
  const receiver = await startReceiver();
  const service = await startService({
    workers,
    ...(cluster && { cluster }),
    // A lease is the timeout plus 4 s: claims of a killed worker are sent again after that.
    environment: { WEBHOOKS_TIMEOUT: '1s', ...(redisUrl !== undefined && { REDIS_URL: redisUrl }) },
  });

  const tenant = await createTenant(service);
  const { signing_secret: secret } = await createEndpoint(tenant.rest, { url: receiver.url() });
  const acked = new Map<string, string>();
  const refusals = new Map<string, number>();
  const count = (error: unknown) => {
    const refusal = refusalOf(error);
    refusals.set(refusal, (refusals.get(refusal) ?? 0) + 1);
  };

  let keys = 0;
  const publish = async () => {
    const key = `key-${(keys += 1)}`;
    const id = await untilAcknowledged(() => tenant.publish({ key, data: { key } }), key, count);
    acked.set(key, id);
  };

  return {
    service,
    tenant,
    receiver,
    secret,
    acked,
    refusals,
    publish,
    async publishUntil(done) {
      const state = { going: true };
      const ended = done.finally(() => (state.going = false));
      const calling = Array.from({ length: callers }, async () => {
        while (state.going) await publish();
      });
      await Promise.all([ended, ...calling]);
    },
    close: (title, options) =>
      reconcile(
        title,
        { redisUrl, acked: [...acked.values()], receiver, database: service.database },
        options,
      ),
    async drop() {
      await service.stop();
      await receiver.close();
    },
  };
}

/** Names a refusal, such as `503 service_unavailable`, or `UND_ERR_SOCKET` for a connection that was cut. */
function refusalOf(error: unknown): string {
  if (error instanceof GraphqlRefusal) return `${error.status} ${error.code}`;
  const { cause, message } = error as Error & { readonly cause?: { readonly code?: string } };
  return cause?.code ?? message;
}

/**
 * Repeats the call until it gets a response, as clients do with an idempotency key.
 * @param refused called with the error of each call that is repeated
 * @throws GraphqlRefusal unless its code is service_unavailable
 */
export async function untilAcknowledged<T>(
  call: () => Promise<T>,
  what: string,
  refused: (error: unknown) => void = () => undefined,
): Promise<T> {
  const outcome = await eventually(
    () =>
      call().then(
        (value) => ({ value }),
        (error: unknown) => {
          const isServerError =
            error instanceof GraphqlRefusal && error.code !== 'service_unavailable';
          if (isServerError) return { error };
          refused(error);
          throw error;
        },
      ),
    `${what} is acknowledged`,
  );
  if ('error' in outcome) throw outcome.error;

  return outcome.value;
}

const inserts = {
  evt: `insert into event (id, account_id, type, version, subject, test, body, occurred_at, created_at)
    values ($1, $2, 't', 'v1', 's', false, '{}', to_timestamp($3 / 1000.0), now())`,
  whd: `insert into delivery (id, account_id, endpoint_id, pending_delivery_id, event_id, event_type,
                              event_version, attempt, max_attempts, status, test, created_at)
    values ($1, $2, 'whs_1', 'pdl_1', 'evt_1', 't', 'v1', 1, 1, 'success', false,
            to_timestamp($3 / 1000.0))`,
};

/** Writes events and delivery records in transactions that end in another order than they began. */
export class StreamWriters {
  readonly #url: string;
  readonly #accounts: readonly string[];
  readonly #random: Random;
  #number = 0;

  constructor(url: string, accounts: readonly string[], random: Random) {
    this.#url = url;
    this.#accounts = accounts;
    this.#random = random;
  }

  /** Writes transactions of 1 to 4 rows, with savepoints, rollbacks, pauses and cut connections. */
  async write(transactions: number): Promise<void> {
    const random = this.#random;
    let client = await this.#connect();
    for (let left = transactions; left > 0; left -= 1) {
      await client.query('begin');

      for (let rows = random.integer(1, 4); rows > 0; rows -= 1) {
        const savepoint = random.boolean(0.3);
        if (savepoint) await client.query('savepoint s');
        await this.#insert(client);
        if (savepoint && random.boolean(0.3)) await client.query('rollback to s');
        await client.query('select pg_sleep($1)', [random.next() * 0.03]);
      }

      const fate = random.next();
      if (fate < 0.03) {
        // The connection is cut during the commit, so the server decides.
        const committed = client.query('commit').catch(() => undefined);
        await client.end().catch(() => undefined);
        await committed;
        client = await this.#connect();
      } else await client.query(fate < 0.12 ? 'rollback' : 'commit');
    }

    await client.end();
  }

  /** Writes one transaction that stays open for longer than a row may be late. */
  async writeSlowly(): Promise<void> {
    const client = await this.#connect();
    await client.query('begin');
    for (let rows = 4; rows > 0; rows -= 1) {
      await this.#insert(client);
      await client.query('select pg_sleep(0.9)');
    }
    await client.query('commit');
    await client.end();
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.#url });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  async #insert(client: pg.Client): Promise<void> {
    const random = this.#random;
    const prefix = random.pick(['evt', 'whd'] as const);
    // Some rows are written long after the time of their id.
    const age = random.boolean(0.2) ? random.next() * 8_000 : random.next() * 20;
    const at = Math.floor(Date.now() - age);
    this.#number += 1;
    const id = `${smallestId(prefix, new Date(at))}${String(this.#number).padStart(16, '0')}`;
    await client.query(inserts[prefix], [id, random.pick(this.#accounts), at]);
  }
}

/**
 * Writes events of an account in one transaction.
 * @returns their ids, in the order of the stream
 */
export async function writeEvents(
  test: Pick<TestDatabase, 'query'>,
  account: string,
  count: number,
  bodyBytes: number,
): Promise<string[]> {
  const now = Date.now();
  const ids = Array.from({ length: count }, (_each, index) => {
    const number = randomBytes(6).readUIntBE(0, 6);
    return `${smallestId('evt', new Date(now + index))}${String(number).padStart(16, '0')}`;
  });

  await test.query(
    `insert into event (id, account_id, type, version, subject, test, body, occurred_at, created_at)
     select i.id, $2, 't', 'v1', 's', false, convert_to(repeat('x', $3), 'UTF8'),
            to_timestamp(($4 + i.number - 1) / 1000.0), now()
       from unnest($1::text[]) with ordinality i (id, number)`,
    [ids, account, bodyBytes, now],
  );

  return ids;
}
