import type { Cluster } from './cluster.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { createTcpProxy, type TcpProxy } from './proxies.js';
import { Redis } from 'ioredis';
import { redisMissing, startRedis } from './redis.js';
import { run } from '../../src/database/database.js';
import { sendSignal, type WakeupKind } from '../../src/domain/transaction/wakeup.js';
import { openQueuePool } from '../../src/queue/postgres.js';

/** The queue of a test, on either backend. */
export interface TestQueue {
  readonly databaseUrl: string;
  /** The database of the signals, and of the queue unless it is on Redis. */
  readonly database: TestDatabase;
  readonly redisUrl: string | undefined;
  readonly signal: Signals['signal'];
  /** Empties the queue. */
  flush(): Promise<void>;
  /** Makes the queue refuse every insert, as one without memory does. */
  fill(): Promise<void>;
  /** Undoes {@link TestQueue.fill}. */
  makeRoom(): Promise<void>;
  /** Breaks every connection at the server. */
  killConnections(): Promise<void>;
  /** Stops the queue until `meanwhile` ends; the queue is empty when it is back. */
  restartEmpty(meanwhile: () => Promise<unknown>): Promise<void>;
  /** The number of jobs of all kinds and states, including scheduled ones. */
  jobs(): Promise<number>;
  /** The number of wake-ups that no worker has taken. */
  waiting(): Promise<number>;
  /** The proxy between the clients of the queue and its server. */
  readonly proxy: TcpProxy;
  drop(): Promise<void>;
}

/**
 * Declares one suite per backend. Without a Redis server, the suite of Redis is pending and says why. The database
 * is in the cluster that `create` gets; it defaults to the shared one.
 */
export function describeOnQueues(
  subject: string,
  suite: (create: (own?: Cluster) => Promise<TestQueue>) => void,
): void {
  describe(`${subject} on PostgreSQL`, () => {
    suite(onPostgres);
  });
  describe(`${subject} on Redis`, () => {
    if (redisMissing === undefined) suite(onRedis);
    else it(redisMissing);
  });
}

/** The queue of a whole service. */
export interface ServiceQueue {
  /** Undefined when the queue is in the database of the service. */
  readonly redisUrl: string | undefined;
  drop(): Promise<void>;
}

/**
 * Declares one suite per backend, as {@link describeOnQueues} does, for suites that start a whole service. They may
 * name the address that Redis listens on.
 */
export function describeServiceOnQueues(
  subject: string,
  suite: (create: (host?: string) => Promise<ServiceQueue>) => void,
): void {
  describe(`${subject}, with the queue on PostgreSQL`, () => {
    suite(() => Promise.resolve({ redisUrl: undefined, drop: () => Promise.resolve() }));
  });

  describe(`${subject}, with the queue on Redis`, () => {
    if (redisMissing !== undefined) it(redisMissing);
    else {
      suite(async (host) => {
        // Redis asks clients of other addresses for a password.
        const redis = await startRedis(undefined, { 'protected-mode': 'no' }, host);
        return { redisUrl: redis.url, drop: () => redis.stop() };
      });
    }
  });
}

const emptyQueue = 'truncate bullmq.job, bullmq.meta, bullmq.event cascade';

/** Retries once on a deadlock: a killed process may still lock the tables in another order. */
async function emptyQueueOf(database: TestDatabase): Promise<void> {
  try {
    await database.query(emptyQueue);
  } catch (error) {
    if ((error as { code?: string }).code !== '40P01') throw error;
    await database.query(emptyQueue);
  }
}

/** Creates a queue on PostgreSQL, in its own database. */
export async function onPostgres(own?: Cluster): Promise<TestQueue> {
  const database: TestDatabase = await createTestDatabase(own);
  const proxy = await createTcpProxy(Number(new URL(database.url).port));
  const databaseUrl = through(proxy, database.url);
  const signals = openSignals(databaseUrl);
  return {
    database,
    databaseUrl,
    signal: signals.signal,
    redisUrl: undefined,
    proxy,
    async flush() {
      await emptyQueueOf(database);
    },
    async fill() {
      await database.query(
        `create function bullmq.refuse() returns trigger language plpgsql as
           $$ begin raise exception 'out of memory' using errcode = '53200'; end $$;
         create trigger full_queue before insert on bullmq.job execute function bullmq.refuse()`,
      );
    },
    async makeRoom() {
      await database.query('drop function bullmq.refuse cascade');
    },
    async killConnections() {
      await database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database()
            and application_name ~ '^signalpost-(queue|listen|due|replay|notify|expire)'`,
      );
    },
    async restartEmpty(meanwhile) {
      await proxy.refuse();
      await meanwhile();
      await database.query(emptyQueue);
      await proxy.open();
    },
    async jobs() {
      return (await database.query('select 1 from bullmq.job')).length;
    },
    async waiting() {
      const rows = await database.query(`select 1 from bullmq.job where state = 'waiting'`);
      return rows.length;
    },
    async drop() {
      await signals.close();
      await proxy.close();
      await database.drop();
    },
  };
}

async function onRedis(own?: Cluster): Promise<TestQueue> {
  const database = await createTestDatabase(own);
  const signals = openSignals(database.url);
  let redis = await startRedis();
  const proxy = await createTcpProxy(Number(new URL(redis.url).port));
  const client = new Redis(redis.url, { maxRetriesPerRequest: null });
  client.on('error', () => undefined);

  return {
    database,
    databaseUrl: database.url,
    signal: signals.signal,
    redisUrl: through(proxy, redis.url),
    proxy,
    async flush() {
      await client.flushall();
    },
    async fill() {
      await client.config('SET', 'maxmemory', '1');
    },
    async makeRoom() {
      await client.config('SET', 'maxmemory', '0');
    },
    async killConnections() {
      await client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    },
    async restartEmpty(meanwhile) {
      const port = Number(new URL(redis.url).port);
      await redis.stop('SIGKILL');
      await meanwhile();
      redis = await startRedis(port);
    },
    async jobs() {
      const keys = await client.keys('bull:signalpost-*');
      return keys.filter((key) => /^bull:signalpost-[a-z]+:(\d+|[a-z]+-\d+)$/.test(key)).length;
    },
    async waiting() {
      const lists = await client.keys('bull:signalpost-*:wait');
      const lengths = await Promise.all(lists.map((list) => client.llen(list)));
      return lengths.reduce((sum, length) => sum + length, 0);
    },
    async drop() {
      client.disconnect();
      await proxy.close();
      await redis.stop();
      await signals.close();
      await database.drop();
    },
  };
}

/** Returns the URL that reaches the same server through a proxy. */
export function through(proxy: { readonly port: number }, url: string): string {
  const address = new URL(url);
  address.port = String(proxy.port);
  return address.href;
}

/** A connection that sends signals as a process does. */
interface Signals {
  readonly signal: (kind: WakeupKind) => Promise<void>;
  close(): Promise<void>;
}

/** Opens a connection that sends signals. */
function openSignals(databaseUrl: string): Signals {
  const queuePool = openQueuePool(databaseUrl, 1, () => undefined);
  return {
    signal: (kind) => sendSignal({ sql: (...query) => run(queuePool.pool, ...query) }, kind),
    close: () => queuePool.close(),
  };
}
