// Sends wake-ups to the workers of all processes: a signal of PostgreSQL for now, a BullMQ job for later.
//
// A caller never waits for it: wake-ups are coalesced and sent in the background. A crash loses those that were not
// sent, and a queue that is down drops them; the poll finds their rows.
import { setTimeout as pause } from 'node:timers/promises';
import type { Queue } from 'bullmq';
import { wakeupKinds, type Wakeup, type WakeupKind } from '../domain/transaction/wakeup.js';
import { connectQueue, jobName, type QueueConnection, type QueueOptions } from './connection.js';

/** Options of {@link createWakeupPublisher}. */
interface WakeupPublisherOptions extends QueueOptions {
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

/** Creates the producer of wake-ups, for Redis and for PostgreSQL. */
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

/** Options of a {@link Coalescer}. */
interface CoalescerOptions {
  /** Sends a wake-up for now. */
  readonly signal: () => Promise<unknown>;
  /** Sends wake-ups for the beginning of these seconds. */
  readonly schedule: (seconds: readonly number[]) => Promise<unknown>;
  /** Called when sending failed. Its wake-ups are dropped; the poller finds their rows. */
  readonly onFailure: (error: unknown) => void;
  /** Milliseconds since the epoch. Defaults to `Date.now`. */
  readonly clock?: () => number;
}

/** At most one signal, and one set of jobs, of each kind and process in this time. */
const minIntervalMs = 5;

/**
 * The poller covers wake-ups further ahead. A queue that may be flushed need not hold a whole day.
 */
const horizonSeconds = 3_600;

/**
 * Turns any number of wake-ups of one kind into few sends:
 * - for now, at most one every 5 ms, and one for the next second, because nothing stores a signal;
 * - for later, one for each second.
 * Neither sort waits for the other. Holds at most an hour of seconds, even if the queue is down.
 */
export class Coalescer {
  readonly #options: CoalescerOptions;
  readonly #clock: () => number;
  readonly #signals: Batches<'now'>;
  readonly #seconds: Batches<number>;
  readonly #sent = new Set<number>();

  constructor(options: CoalescerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? Date.now;
    this.#signals = new Batches(options.signal, options.onFailure);
    this.#seconds = new Batches((seconds) => this.#schedule(seconds), options.onFailure);
  }

  /** Adds a wake-up; returns at once. */
  add({ at, signalled = false }: Wakeup): void {
    const current = Math.floor(this.#clock() / 1_000);
    // Rounds up: when it is sent, all rows that fell due within the second are due.
    const second = at === undefined ? current : Math.ceil(at.getTime() / 1_000);
    if (second <= current && !signalled) this.#signals.add('now');
    const kept = Math.max(second, current + 1);
    if (kept <= current + horizonSeconds && !this.#sent.has(kept)) this.#seconds.add(kept);
  }

  /** Sends pending wake-ups once, and accepts no more. */
  async close(): Promise<void> {
    await Promise.all([this.#signals.close(), this.#seconds.close()]);
  }

  async #schedule(seconds: readonly number[]): Promise<void> {
    const current = Math.floor(this.#clock() / 1_000);
    if (this.#sent.size > horizonSeconds) {
      for (const second of this.#sent) if (second <= current) this.#sent.delete(second);
    }
    for (const second of seconds) this.#sent.add(second);
    try {
      await this.#options.schedule(seconds);
    } catch (error) {
      for (const second of seconds) this.#sent.delete(second);
      throw error;
    }
  }
}

/** Collects items and sends them together: one batch at a time, and at most one every 5 ms. */
class Batches<Item> {
  readonly #send: (items: readonly Item[]) => Promise<unknown>;
  readonly #onFailure: (error: unknown) => void;
  readonly #items = new Set<Item>();
  #lastSentAt = -Infinity;
  #cancelTimer: (() => void) | undefined;
  #sending: Promise<void> | undefined;
  #closed = false;

  constructor(
    send: (items: readonly Item[]) => Promise<unknown>,
    onFailure: (error: unknown) => void,
  ) {
    this.#send = send;
    this.#onFailure = onFailure;
  }

  add(item: Item): void {
    if (this.#closed) return;
    this.#items.add(item);
    this.#schedule();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    await this.#sending;
    if (this.#items.size > 0) await this.#sendAll();
  }

  #schedule(): void {
    if (this.#cancelTimer || this.#sending || this.#items.size === 0) return;
    this.#cancelTimer = after(this.#lastSentAt + minIntervalMs - performance.now(), () => {
      this.#cancelTimer = undefined;
      void this.#sendAll();
    });
  }

  #sendAll(): Promise<void> {
    const items = [...this.#items];
    this.#items.clear();
    this.#lastSentAt = performance.now();
    this.#sending = this.#send(items)
      .then(() => undefined, this.#onFailure)
      .finally(() => {
        this.#sending = undefined;
        if (!this.#closed) this.#schedule();
      });
    return this.#sending;
  }
}

/** Calls `work` after `ms` milliseconds; for 0 or less at the end of this turn, without a timer. */
function after(ms: number, work: () => void): () => void {
  if (ms > 0) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  }
  const immediate = setImmediate(work);
  return () => clearImmediate(immediate);
}
