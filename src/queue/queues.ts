import { setTimeout as pause } from 'node:timers/promises';
import type { Queue } from 'bullmq';
import { wakeupKinds, type Wakeup, type WakeupKind } from '../domain/wakeup.js';
import { Coalescer } from './coalesce.js';
import { connectQueue, jobName, type QueueConnection, type QueueOptions } from './connection.js';

/** Options of {@link createWakeupPublisher}. */
export interface WakeupPublisherOptions extends QueueOptions {
  /** Sends a signal to all workers that listen. */
  readonly signal: (kind: WakeupKind) => Promise<unknown>;
  /** Called for every wake-up that could not be sent. The poller finds its rows. */
  readonly onLost?: (kind: WakeupKind, error: unknown) => void;
}

/** Sends wake-ups to workers in all processes. */
export interface WakeupPublisher {
  /** Never waits and never throws. Call it after the commit. */
  readonly wake: (wakeups: readonly Wakeup[]) => void;
  /**
   * Number of due jobs that no worker has taken yet, by kind.
   * @throws Error when the queue is down
   */
  depths(): Promise<Record<WakeupKind, number>>;
  /** Sends pending wake-ups if PostgreSQL and the queue respond, then disconnects. */
  close(): Promise<void>;
}

const closeLimitMs = 2_000;

/** Creates the producer side of the queue, for Redis and for PostgreSQL. */
export function createWakeupPublisher(options: WakeupPublisherOptions): WakeupPublisher {
  const connection = connectQueue(options);
  const queues = new Map<WakeupKind, WakeupQueue>();
  const coalescers = new Map<WakeupKind, Coalescer>();

  for (const kind of wakeupKinds) {
    const queue = new WakeupQueue(connection, kind);
    queues.set(kind, queue);

    coalescers.set(
      kind,
      new Coalescer({
        signal: () => options.signal(kind),
        schedule: (seconds) => queue.schedule(seconds),
        onFailure: (error) => options.onLost?.(kind, error),
      }),
    );
  }

  return {
    wake(wakeups) {
      for (const wakeup of wakeups) coalescers.get(wakeup.kind)?.add(wakeup);
    },
    async depths() {
      const entries = wakeupKinds.map(
        async (kind) => [kind, (await queues.get(kind)?.waiting()) ?? 0] as const,
      );
      return Object.fromEntries(await Promise.all(entries)) as Record<WakeupKind, number>;
    },
    async close() {
      const closed = (async () => {
        await Promise.all([...coalescers.values()].map((coalescer) => coalescer.close()));
        await Promise.all([...queues.values()].map((queue) => queue.close()));
        await connection.close();
      })();

      // If the queue does not respond, the poller finds the rows of pending wake-ups.
      const limit = new AbortController();
      await Promise.race([
        closed,
        pause(closeLimitMs, undefined, { signal: limit.signal }).catch(() => undefined),
      ]);

      limit.abort();
      closed.catch((error: unknown) => options.onError(error as Error));
    },
  };
}

/** The queue of one kind. Each wake-up is a job with its second in its id. */
class WakeupQueue {
  readonly #connection: QueueConnection;
  readonly #kind: WakeupKind;
  #queue: Promise<Queue> | undefined;

  constructor(connection: QueueConnection, kind: WakeupKind) {
    this.#connection = connection;
    this.#kind = kind;
  }

  async schedule(seconds: readonly number[]): Promise<void> {
    const queue = await this.#open();
    const at = Date.now();
    const jobs = seconds.map((second) => ({
      name: jobName,
      data: {},
      opts: { jobId: `${this.#kind}-${second}`, delay: Math.max(1, second * 1_000 - at) },
    }));
    const [job] = jobs;
    // On PostgreSQL, BullMQ creates a temporary table to add several jobs: 7 ms in place of 0.3.
    if (job && jobs.length === 1) await queue.add(job.name, job.data, job.opts);
    else await queue.addBulk(jobs);
  }

  async waiting(): Promise<number> {
    return (await this.#open()).getWaitingCount();
  }

  async close(): Promise<void> {
    const queue = await this.#queue?.catch(() => undefined);
    await queue?.close();
  }

  #open(): Promise<Queue> {
    if (!this.#queue) {
      this.#queue = this.#connection.queue(this.#kind);
      this.#queue.catch(() => (this.#queue = undefined));
    }
    return this.#queue;
  }
}
