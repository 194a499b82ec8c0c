import { createTestDatabase, type TestDatabase } from './database.js';
import { createGate, type Gate } from './gate.js';
import { Redis } from 'ioredis';
import { redisMissing, startRedis } from './redis.js';

/** A queue of the test's own, on either backend. */
export interface TestQueue {
  readonly databaseUrl: string;
  /** The database that holds the queue; undefined on Redis. */
  readonly database: TestDatabase | undefined;
  readonly redisUrl: string | undefined;
  /** Removes everything the queue holds. */
  flush(): Promise<void>;
  /** Jobs of any kind and state that exist, scheduled ones too. */
  jobs(): Promise<number>;
  /** What stands between the queue's clients and its server. */
  readonly gate: Gate;
  drop(): Promise<void>;
}

/** Declares one suite per backend; without a Redis server its suite is pending and says why. */
export function describeOnQueues(
  subject: string,
  suite: (create: () => Promise<TestQueue>) => void,
): void {
  describe(`${subject} on PostgreSQL`, () => suite(onPostgres));
  describe(`${subject} on Redis`, () => {
    if (redisMissing === undefined) suite(onRedis);
    else it(redisMissing);
  });
}

async function onPostgres(): Promise<TestQueue> {
  const database: TestDatabase = await createTestDatabase();

  const gate = await createGate(Number(new URL(database.url).port));
  return {
    database,
    databaseUrl: through(gate, database.url),
    redisUrl: undefined,
    gate,
    async flush() {
      await database.query('truncate bullmq.job, bullmq.meta, bullmq.event cascade');
    },
    async jobs() {
      const [row] = await database.query<{ count: number }>(
        'select count(*)::int as count from bullmq.job',
      );
      return row?.count ?? 0;
    },
    async drop() {
      await gate.close();
      await database.drop();
    },
  };
}

async function onRedis(): Promise<TestQueue> {
  const redis = await startRedis();
  const gate = await createGate(Number(new URL(redis.url).port));
  const client = new Redis(redis.url);
  return {
    database: undefined,
    databaseUrl: 'postgres://nobody@127.0.0.1:1/none',
    redisUrl: through(gate, redis.url),
    gate,
    async flush() {
      await client.flushall();
    },
    async jobs() {
      const keys = await client.keys('bull:signalpost-*');
      return keys.filter((key) => /^bull:signalpost-[a-z]+:(\d+|[a-z]+-\d+)$/.test(key)).length;
    },
    async drop() {
      client.disconnect();
      await gate.close();
      await redis.stop();
    },
  };
}

/** The same address, through the gate. */
export function through(gate: Gate, url: string): string {
  const address = new URL(url);
  address.port = String(gate.port);
  return address.href;
}
