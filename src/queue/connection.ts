import type { Processor, Queue, Worker } from 'bullmq';
import type { Redis, RedisOptions } from 'ioredis';
import type { WakeupKind } from '../domain/wakeup.js';
import { evictionPolicy } from './eviction.js';
import { openQueuePool } from './queue-pool.js';
import {
  listenOnPostgres,
  listenOnRedis,
  signalOnPostgres,
  signalOnRedis,
  type SignalListener,
} from './signals.js';
import bullmq = require('bullmq');
import ioredis = require('ioredis');

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
  readonly backend: 'redis' | 'postgres';
  /** @throws Error when the queue cannot be reached at once */
  queue(kind: WakeupKind): Promise<Queue>;
  /** Creates a worker that is not started yet. Works while the queue is down. */
  worker(kind: WakeupKind, work: Processor): Worker;
  /** Sends a signal to all processes that listen; nothing keeps it. */
  signal(kind: WakeupKind): Promise<void>;
  /** Listens for signals, and reconnects by itself. */
  onSignals(kinds: readonly WakeupKind[], onSignal: (kind: WakeupKind) => void): SignalListener;
  /** Closes the connections. Close queues and workers first. */
  close(): Promise<void>;
}

const namePrefix = 'signalpost-';

/** Also the name of a worker's connection in PostgreSQL or Redis. */
const queueName = (kind: WakeupKind): string => `${namePrefix}${kind}`;

/** The name of all jobs. */
export const jobName = 'scheduled';

// History lives in our own tables. BullMQ ignores a job whose id belongs to one that stays.
const jobOptions = { removeOnComplete: true, removeOnFail: true } as const;

const queueOptions = { defaultJobOptions: jobOptions, streams: { events: { maxLen: 1 } } } as const;

const workerOptions = {
  autorun: false,
  concurrency: 1,
  // A new job announces itself, and the wake-up of a worker that died only has to be removed.
  maxStalledCount: 0,
  stalledInterval: 300_000,
  runRetryDelay: 1_000,
  drainDelay: 30,
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 0 },
} as const;

/**
 * Connects without waiting, so it works while the queue is down.
 * @param workers how many workers will be created
 */
export function connectQueue(options: QueueOptions, workers: number): QueueConnection {
  return options.redisUrl === undefined
    ? onPostgres(options, workers)
    : onRedis(options, options.redisUrl);
}

function onPostgres({ databaseUrl, onError }: QueueOptions, workers: number): QueueConnection {
  // Each worker keeps one to LISTEN. Two more serve everything else.
  const queuePool = openQueuePool(databaseUrl, workers + 2, onError);
  const { pool } = queuePool;
  return {
    backend: 'postgres',
    async queue(kind) {
      const queue = new bullmq.Queue(
        queueName(kind),
        { ...queueOptions, connection: pool },
        bullmq.createPostgresBackend as never,
      );
      queue.on('error', onError);
      try {
        await queue.waitUntilReady();
      } catch (error) {
        // BullMQ remembers the failure permanently, so the next attempt needs a new object.
        await queue.close().catch(() => undefined);
        throw error;
      }
      return queue;
    },
    worker(kind, work) {
      const worker = new bullmq.Worker(
        queueName(kind),
        work,
        { ...workerOptions, connection: pool },
        bullmq.createPostgresBackend as never,
      );
      worker.on('error', onError);
      return worker;
    },
    signal: (kind) => signalOnPostgres(pool, kind),
    onSignals: (kinds, onSignal) => listenOnPostgres(databaseUrl, { kinds, onSignal, onError }),
    close: () => queuePool.close(),
  };
}

function onRedis({ onError, onEvicting }: QueueOptions, url: string): QueueConnection {
  const common = { connectTimeout: 5_000, keepAlive: 10_000, retryStrategy: backOff };
  // A producer fails fast, so that sending a wake-up never waits for Redis.
  const producer = new ioredis.Redis(url, {
    ...common,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 2_000,
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
    backend: 'redis',
    queue(kind) {
      if (producer.status !== 'ready') {
        return Promise.reject(new Error(`Redis is not connected (status: ${producer.status})`));
      }
      const queue = new bullmq.Queue(queueName(kind), { ...queueOptions, connection: producer });
      queue.on('error', onError);
      return Promise.resolve(queue);
    },
    worker(kind, work) {
      if (!consumer) {
        consumer = new Consumer(url, { ...common, maxRetriesPerRequest: null });
        consumer.on('error', onError);
      }
      const worker = new bullmq.Worker(queueName(kind), work, {
        ...workerOptions,
        connection: consumer,
      });
      worker.on('error', onError);
      return worker;
    },
    signal: (kind) => signalOnRedis(producer, kind),
    onSignals: (kinds, onSignal) => listenOnRedis(url, common, { kinds, onSignal, onError }),
    close() {
      producer.disconnect();
      consumer?.disconnectAll();
      return Promise.resolve();
    },
  };
}

/**
 * A client for workers that can be closed permanently while Redis is down. If ioredis is closed
 * between two attempts to reconnect, it emits no event. BullMQ, which duplicates clients for
 * blocking commands, waits for that event and then reconnects.
 */
class Consumer extends ioredis.Redis {
  readonly #duplicates: Consumer[] = [];

  override duplicate(override?: Partial<RedisOptions>): Redis {
    const duplicate = new Consumer({ ...this.options, ...override });
    this.#duplicates.push(duplicate);
    return duplicate;
  }

  override disconnect(reconnect = false): void {
    const waits = this.status === 'reconnecting';
    super.disconnect(reconnect);
    if (!waits || reconnect) return;
    this.status = 'end';
    this.emit('end');
    // Otherwise queued commands would wait forever for the next connection, and so would their
    // callers.
    const client = this as unknown as { flushQueue(error: Error): void };
    client.flushQueue(new Error('Connection is closed.'));
  }

  /** Closes this client and its duplicates. */
  disconnectAll(): void {
    for (const client of [this, ...this.#duplicates]) client.disconnect();
  }
}

function backOff(times: number): number {
  return Math.min(100 * 2 ** Math.min(times, 10), 2_000);
}
