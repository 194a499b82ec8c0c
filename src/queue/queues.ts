import { setTimeout as pause } from 'node:timers/promises';
import type { Queue } from 'bullmq';
import { wakeupKinds, type Wakeup, type WakeupKind } from '../domain/wakeup.js';
import { type WakeupSender, Coalescer } from './coalesce.js';
import { connectQueue, jobName, type QueueConnection, type QueueOptions } from './connection.js';

/** Options of {@link createWaker}. */
export interface WakerOptions extends QueueOptions {
  /** Called for every wake-up that could not be sent. The poller finds its rows. */
  readonly onLost?: (kind: WakeupKind, error: unknown) => void;
}

/** Sends wake-ups to workers in all processes. */
export interface Waker {
  /** Never waits and never throws. Call it after the commit. */
  readonly wake: (wakeups: readonly Wakeup[]) => void;
  /** The channel that a commit may notify, to signal `kind` by itself. Undefined on Redis. */
  readonly channel: (kind: WakeupKind) => string | undefined;
  /**
   * Number of due jobs that no worker has taken yet, by kind.
   * @throws Error when the queue is down
   */
  depths(): Promise<Record<WakeupKind, number>>;
  /** Sends pending wake-ups if the queue responds, then disconnects. */
  close(): Promise<void>;
}

const closeLimitMs = 2_000;

/** Creates the producer side of the queue, for Redis and for PostgreSQL. */
export function createWaker(options: WakerOptions): Waker {
  const connection = connectQueue(options);
  const senders = new Map<WakeupKind, QueueWakeupSender>();
  const coalescers = new Map<WakeupKind, Coalescer>();
  for (const kind of wakeupKinds) {
    const sender = new QueueWakeupSender(connection, kind);
    senders.set(kind, sender);
    const onFailure = (error: unknown) => options.onLost?.(kind, error);
    coalescers.set(kind, new Coalescer({ sender, onFailure }));
  }
  return {
    wake(wakeups) {
      for (const wakeup of wakeups) coalescers.get(wakeup.kind)?.add(wakeup);
    },
    channel: (kind) => connection.channel(kind),
    async depths() {
      const entries = wakeupKinds.map(
        async (kind) => [kind, (await senders.get(kind)?.waiting()) ?? 0] as const,
      );
      return Object.fromEntries(await Promise.all(entries)) as Record<WakeupKind, number>;
    },
    async close() {
      const closed = (async () => {
        await Promise.all([...coalescers.values()].map((coalescer) => coalescer.close()));
        await Promise.all([...senders.values()].map((sender) => sender.close()));
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

/** Sends an immediate wake-up as a signal, and a scheduled one as a job with its second in its id. */
class QueueWakeupSender implements WakeupSender {
  readonly #connection: QueueConnection;
  readonly #kind: WakeupKind;
  #queue: Promise<Queue> | undefined;

  constructor(connection: QueueConnection, kind: WakeupKind) {
    this.#connection = connection;
    this.#kind = kind;
  }

  async send(now: boolean, seconds: readonly number[]): Promise<void> {
    await Promise.all([now && this.#connection.signal(this.#kind), this.#schedule(seconds)]);
  }

  async #schedule(seconds: readonly number[]): Promise<void> {
    if (seconds.length === 0) return;
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
