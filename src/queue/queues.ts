import { setTimeout as pause } from 'node:timers/promises';
import type { Queue } from 'bullmq';
import { wakeupKinds, type Wakeup, type WakeupKind } from '../domain/wakeup.js';
import { type WakeupSender, Coalescer } from './coalesce.js';
import { connectQueue, jobNames, type QueueConnection, type QueueOptions } from './connection.js';

/** What {@link createWaker} needs to know. */
export interface WakerOptions extends QueueOptions {
  /** Told of every wake-up that could not be sent; its rows are found by the poller. */
  readonly onLost?: (kind: WakeupKind, error: unknown) => void;
}

/** Sends wake-ups to the workers, wherever they run. */
export interface Waker {
  /** Never waits and never throws; call it after the commit. */
  readonly wake: (wakeups: readonly Wakeup[]) => void;
  /** Wake-ups that nobody has taken yet, by kind. @throws Error when the queue is away */
  depths(): Promise<Record<WakeupKind, number>>;
  /** Sends what is owed if the queue answers, then lets go of it. */
  close(): Promise<void>;
}

/** One waiting wake-up is enough to be found by all that was committed before it is taken. */
const maxWaiting = 16;
const sendsBetweenCounts = 32;
const closeLimitMs = 2_000;

/** The producer side of the queue, the same on Redis and on PostgreSQL. */
export function createWaker(options: WakerOptions): Waker {
  const connection = connectQueue(options, 0);
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
      // What is still owed to a queue that does not answer is found by the poller.
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

/**
 * Rings by adding a job. Immediate ones have no id, because a job that still exists, a running one
 * included, swallows an addition of its id; later ones carry the second they are for.
 */
class QueueWakeupSender implements WakeupSender {
  readonly #connection: QueueConnection;
  readonly #kind: WakeupKind;
  #queue: Promise<Queue> | undefined;
  #sends = 0;
  #wasFull = false;

  constructor(connection: QueueConnection, kind: WakeupKind) {
    this.#connection = connection;
    this.#kind = kind;
  }

  async send(now: boolean, seconds: readonly number[]): Promise<void> {
    const queue = await this.#open();
    if (seconds.length > 0) {
      const at = Date.now();
      await queue.addBulk(
        seconds.map((second) => ({
          name: jobNames.scheduled,
          data: {},
          opts: { jobId: `${this.#kind}-${second}`, delay: Math.max(1, second * 1_000 - at) },
        })),
      );
    }
    if (now && !(await this.#isFull(queue))) await queue.add(jobNames.immediate, {});
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

  /** Keeps the queue short while no worker takes anything: looks now and then, and always while it is full. */
  async #isFull(queue: Queue): Promise<boolean> {
    if (this.#wasFull || this.#sends % sendsBetweenCounts === 0) {
      this.#wasFull = (await queue.getWaitingCount()) >= maxWaiting;
    }
    if (!this.#wasFull) this.#sends += 1;
    return this.#wasFull;
  }
}
