// BullMQ on PostgreSQL or on Redis, over the shared connections of a process.
//
// The queue carries no facts: a job says only that rows of a kind are due in a certain second. History lives in our
// own tables, so jobs are removed when they end. The queue may be down, flushed or lose jobs at any time: the poll
// finds the rows within a second or so.
import type { Processor, Queue, Worker } from 'bullmq';
import type { ListenerOptions } from '../database/connection.js';
import { type WakeupKind, wakeupKinds } from '../domain/transaction/wakeup.js';
import {
  isCluster,
  openRedis,
  type RedisClient,
  silentTimeoutMs,
  type Consumer,
  consumers,
  evictionPolicy,
} from './redis.js';
import { openQueuePool, jobChannel, WorkerPool } from './postgres.js';
import bullmq = require('bullmq');

/** Where the queue lives, and where its errors go. */
export interface QueueOptions {
  readonly databaseUrl: string;
  /** If undefined, the queue lives in the schema `bullmq` of the database. */
  readonly redisUrl: string | undefined;
  /** Called for broken connections and failed commands. Everything is retried automatically. */
  readonly onError: (error: Error) => void;
  /** Called each time it connects to a Redis that evicts keys, with the eviction policy. */
  readonly onEvicting?: (policy: string) => void;
}

/** The BullMQ objects of one process, over shared connections. */
export interface QueueConnection {
  /** @throws Error when the queue cannot be reached at once */
  queue(kind: WakeupKind): Promise<Queue>;
  /** Creates a worker that is not started yet. Works while the queue is down. */
  worker(kind: WakeupKind, work: Processor): Worker;
  /** The channels of PostgreSQL that the process of the workers must hear for their jobs. */
  readonly channels: ListenerOptions['channels'];
  /** Closes the connections. Close queues and workers first. */
  close(): Promise<void>;
}

/** Connections to a queue in PostgreSQL, besides the one that listens. */
const poolSize = 2;

const namePrefix = 'signalpost-';

/** The name of the queue, and of a worker's connection in Redis. */
const queueName = (kind: WakeupKind): string => `${namePrefix}${kind}`;

/** The name of all jobs. */
export const jobName = 'scheduled';

// History lives in our own tables. BullMQ ignores a job whose id belongs to one that stays.
const jobOptions = { removeOnComplete: true, removeOnFail: true } as const;

const queueOptions = { defaultJobOptions: jobOptions, streams: { events: { maxLen: 1 } } } as const;

const workerOptions = {
  autorun: false,
  concurrency: 1,
  // New jobs announce themselves, so a stalled one is removed rather than retried.
  maxStalledCount: 0,
  stalledInterval: 300_000,
  runRetryDelay: 1_000,
  drainDelay: 30,
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 0 },
} as const;

/** Connects without waiting, so it works while the queue is down. */
export function connectQueue(options: QueueOptions): QueueConnection {
  return options.redisUrl === undefined ? onPostgres(options) : onRedis(options, options.redisUrl);
}

function onPostgres({ databaseUrl, onError }: QueueOptions): QueueConnection {
  const queuePool = openQueuePool(databaseUrl, poolSize, onError);
  const { pool } = queuePool;
  const workerPool = new WorkerPool(pool);
  return {
    async queue(kind) {
      const queue = new bullmq.Queue(
        queueName(kind),
        { ...queueOptions, connection: pool },
        bullmq.createPostgresBackend as never,
      );
      queue.on('error', onError);
      return ready(queue);
    },
    worker(kind, work) {
      const worker = new bullmq.Worker(
        queueName(kind),
        work,
        { ...workerOptions, connection: workerPool },
        bullmq.createPostgresBackend as never,
      );
      worker.on('error', onError);
      return worker;
    },
    channels: {
      [jobChannel]: (named) => {
        const queues = named === undefined ? wakeupKinds.map(queueName) : [named];
        for (const queue of queues) workerPool.announce(queue);
      },
    },
    close: () => queuePool.close(),
  };
}

function onRedis({ onError, onEvicting }: QueueOptions, url: string): QueueConnection {
  const common = { connectTimeout: 5_000, keepAlive: 10_000, retryStrategy: backOff };
  // A producer fails fast, so that sending a wake-up never waits for Redis.
  const producer = openRedis(url, {
    ...common,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 2_000,
    socketTimeout: silentTimeoutMs,
    connectionName: `${namePrefix}wake`,
  });

  producer.on('error', onError);

  if (onEvicting) {
    producer.on('ready', () => {
      evictionPolicy(producer).then((policy) => {
        if (policy !== undefined) onEvicting(policy);
      }, onError);
    });
  }

  let consumer: Consumer | undefined;
  return {
    queue(kind) {
      if (producer.status !== 'ready') {
        return Promise.reject(new Error(`Redis is not connected (status: ${producer.status})`));
      }
      const queue = new bullmq.Queue(queueName(kind), {
        ...queueOptions,
        ...prefixOf(kind, producer),
        connection: producer,
      });
      queue.on('error', onError);
      return ready(queue);
    },
    worker(kind, work) {
      if (!consumer) {
        const forever = { ...common, maxRetriesPerRequest: null };
        consumer = openRedis(url, forever, consumers) as Consumer;
        consumer.on('error', onError);
      }
      const worker = new bullmq.Worker(queueName(kind), work, {
        ...workerOptions,
        ...prefixOf(kind, consumer),
        connection: consumer,
      });
      worker.on('error', onError);
      return worker;
    },
    channels: {},
    close() {
      producer.disconnect();
      consumer?.disconnectAll();
      return Promise.resolve();
    },
  };
}

/** Waits until a queue is usable. @throws Error when the queue cannot be reached */
async function ready(queue: Queue): Promise<Queue> {
  try {
    await queue.waitUntilReady();
  } catch (error) {
    // BullMQ remembers the failure permanently, so the next attempt needs a new object.
    await queue.close().catch(() => undefined);
    throw error;
  }
  return queue;
}

/**
 * In a cluster all keys of a queue must be on one node, so they share a hash tag. Each kind has its
 * own, to be spread. On one server the prefix is that of BullMQ.
 */
function prefixOf(kind: WakeupKind, client: RedisClient): { readonly prefix?: string } {
  return isCluster(client) ? { prefix: `{bull-${kind}}` } : {};
}

function backOff(times: number): number {
  return Math.min(100 * 2 ** Math.min(times, 10), 2_000);
}
