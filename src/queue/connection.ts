import type { Processor, Queue, Worker } from 'bullmq';
import type { Redis, RedisOptions } from 'ioredis';
import type { WakeupKind } from '../domain/wakeup.js';
import { evictionPolicy } from './eviction.js';
import { openQueuePool } from './queue-pool.js';
import bullmq = require('bullmq');
import ioredis = require('ioredis');

/** Where the queue lives and who hears of its faults. */
export interface QueueOptions {
  readonly databaseUrl: string;
  /** Undefined: the queue lives in the schema `bullmq` of the database. */
  readonly redisUrl: string | undefined;
  /** Told of broken connections and failed commands; everything is tried again by itself. */
  readonly onError: (error: Error) => void;
  /** Told each time a Redis that drops keys by itself is connected to, and by which policy. */
  readonly onEvicting?: (policy: string) => void;
}

/** The BullMQ objects of one process, all over the same connections. */
export interface QueueConnection {
  readonly backend: 'redis' | 'postgres';
  /** @throws Error when the queue cannot be reached right away */
  queue(kind: WakeupKind): Promise<Queue>;
  /** A worker that has not been started; it may be made while the queue is away. */
  worker(kind: WakeupKind, work: Processor): Worker;
  /** Ends the connections; close queues and workers first. */
  close(): Promise<void>;
}

const namePrefix = 'signalpost-';

/** Also the name under which a worker's connection shows in PostgreSQL or Redis. */
const queueName = (kind: WakeupKind): string => `${namePrefix}${kind}`;

/** A scheduled wake-up says that rows fall due; an immediate one that rows were written. */
export const jobNames = { immediate: 'now', scheduled: 'scheduled' } as const;

// History lives in our own tables; a job that stays would swallow the next one of its id.
const jobOptions = { removeOnComplete: true, removeOnFail: true } as const;

const queueOptions = { defaultJobOptions: jobOptions, streams: { events: { maxLen: 1 } } } as const;

const workerOptions = {
  autorun: false,
  concurrency: 1,
  // A wake-up whose worker died is older than many polls: not worth ringing again.
  maxStalledCount: 0,
  runRetryDelay: 1_000,
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 0 },
} as const;

/** Connects; nothing is awaited, so it works while the queue is away. `workers`: how many will be made. */
export function connectQueue(options: QueueOptions, workers: number): QueueConnection {
  return options.redisUrl === undefined
    ? onPostgres(options, workers)
    : onRedis(options, options.redisUrl);
}

function onPostgres({ databaseUrl, onError }: QueueOptions, workers: number): QueueConnection {
  // Each worker keeps one connection to LISTEN; the others share two.
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
        // BullMQ remembers the failure for ever; the next attempt needs another object.
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
    close: () => queuePool.close(),
  };
}

function onRedis({ onError, onEvicting }: QueueOptions, url: string): QueueConnection {
  const common = { connectTimeout: 5_000, keepAlive: 10_000, retryStrategy: backOff };
  // A producer fails fast: whoever wakes must not wait for Redis.
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
        return Promise.reject(new Error(`Redis is away (${producer.status})`));
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
    close() {
      producer.disconnect();
      consumer?.disconnectAll();
      return Promise.resolve();
    },
  };
}

/**
 * A client of workers, which can be closed for good while Redis is away. ioredis says nothing when
 * it is closed between two attempts to reconnect, and BullMQ, which makes copies to block on, waits
 * for that word and then connects again.
 */
class Consumer extends ioredis.Redis {
  readonly #copies: Consumer[] = [];

  override duplicate(override?: Partial<RedisOptions>): Redis {
    const copy = new Consumer({ ...this.options, ...override });
    this.#copies.push(copy);
    return copy;
  }

  override disconnect(reconnect = false): void {
    const waits = this.status === 'reconnecting';
    super.disconnect(reconnect);
    if (!waits || reconnect) return;
    this.status = 'end';
    this.emit('end');
    // Commands that wait for the next connection would wait for ever, and whoever sent them.
    const client = this as unknown as { flushQueue(error: Error): void };
    client.flushQueue(new Error('Connection is closed.'));
  }

  /** Closes this client and its copies. */
  disconnectAll(): void {
    for (const client of [this, ...this.#copies]) client.disconnect();
  }
}

function backOff(times: number): number {
  return Math.min(100 * 2 ** Math.min(times, 10), 2_000);
}
