// Hears wake-ups: signals of PostgreSQL and BullMQ jobs, both of which start a poll for due rows.
//
// At most one poll of a kind runs at a time, and all signals during it start one more. The queue may be down at any
// time, even at the start; the worker's poller finds what is missed.
import type { Worker } from 'bullmq';
import { setTimeout as pause } from 'node:timers/promises';
import { NotificationListener } from '../database/connection.js';
import { channelOf, type WakeupKind } from '../domain/transaction/wakeup.js';
import { connectQueue, type QueueConnection, type QueueOptions } from './connection.js';

interface ListenOptions extends QueueOptions {
  readonly kinds: readonly WakeupKind[];
  /**
   * Called for each wake-up, once for all signals that arrive while it runs, and after each
   * connect. `scheduled` is true if the wake-up was sent for a later second. An error is reported
   * and otherwise ignored, because the poller finds the rows.
   * @returns whether rows were due, as far as it knows
   */
  readonly onWakeup: (kind: WakeupKind, scheduled: boolean) => Promise<boolean>;
}

/** Listens for signals and to the queue until closed. */
export interface Listeners {
  /** Accepts no further wake-up and waits for the running ones. */
  close(): Promise<void>;
}

const retryMs = 1_000;
const closeLimitMs = 1_000;

/** Listens for wake-ups. The queue may be down at any time, even at the start. */
export function listenForWakeups(options: ListenOptions): Listeners {
  const connection = connectQueue(options);
  const listeners = new Map(
    options.kinds.map((kind) => [kind, new QueueListener(connection, kind, options)]),
  );
  const signals = [...listeners].map(
    ([kind, listener]) => [channelOf(kind), () => listener.signal()] as const,
  );

  // One connection for all, because a signal wakes every session of the database that listens.
  const signalListener = new NotificationListener({
    url: options.databaseUrl,
    channels: { ...Object.fromEntries(signals), ...connection.channels },
    onError: options.onError,
  });

  return {
    async close() {
      const closing = [...listeners.values()].map((listener) => listener.close());
      await Promise.all([signalListener.close(), ...closing]);
      await connection.close();
    },
  };
}

/** Polls at signals and jobs of one kind. Its BullMQ worker is replaced until one becomes ready. */
class QueueListener {
  readonly #kind: WakeupKind;
  readonly #connection: QueueConnection;
  readonly #polls: SignalledPolls;
  readonly #options: ListenOptions;
  readonly #closing = new AbortController();
  readonly #opened: Promise<void>;
  #worker: Worker | undefined;
  #running: Promise<boolean> | undefined;

  constructor(connection: QueueConnection, kind: WakeupKind, options: ListenOptions) {
    this.#connection = connection;
    this.#kind = kind;
    this.#options = options;
    this.#polls = new SignalledPolls(() => this.#run(false));
    this.#opened = this.#open();
  }

  signal(): void {
    this.#polls.signal();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const polled = this.#polls.close();
    await this.#opened;
    if (this.#worker) await this.#end(this.#worker);
    await polled;
  }

  /** Waits for our own work to end, but not for BullMQ, which may wait for a queue that is down. */
  async #end(worker: Worker): Promise<void> {
    // Handles errors at once, because closing can fail long before our own work ends.
    const closed = worker.close().catch((error: unknown) => this.#options.onError(error as Error));
    await this.#running;
    const limit = new AbortController();
    const late = pause(closeLimitMs, undefined, { signal: limit.signal }).catch(() => undefined);
    await Promise.race([closed, late]);
    limit.abort();
  }

  async #open(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const worker = this.#connection.worker(this.#kind, () => (this.#running = this.#run(true)));
      if (await this.#becomesReady(worker)) {
        this.#worker = worker;
        worker.run().catch((error: unknown) => this.#options.onError(error as Error));
        return;
      }
      await worker.close(true).catch(() => undefined);
      await pause(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #becomesReady(worker: Worker): Promise<boolean> {
    const { signal } = this.#closing;
    let giveUp: () => void = () => undefined;
    const aborted = new Promise<false>((resolve) => (giveUp = () => resolve(false)));

    signal.addEventListener('abort', giveUp);

    const ready = worker.waitUntilReady().then(
      () => true,
      (error: unknown) => {
        this.#options.onError(error as Error);
        return false;
      },
    );

    // Removes the listener: while the queue is down this runs every second.
    return Promise.race([ready, aborted]).finally(() =>
      signal.removeEventListener('abort', giveUp),
    );
  }

  async #run(scheduled: boolean): Promise<boolean> {
    try {
      return await this.#options.onWakeup(this.#kind, scheduled);
    } catch (error) {
      this.#options.onError(error as Error);
      return false;
    }
  }
}

/** The first pause of a process whose polls find nothing, in milliseconds; each pause doubles it. */
const firstPauseMs = 5;
const maxPauseMs = 80;
/** Time from one poll to the next. Signals that come faster would make a claim for each event. */
const minSpacingMs = 4;

/**
 * Returns how long a process waits before it polls again.
 * @param emptyPolls how many polls in a row found nothing. One is no reason to wait: a claim takes
 *   rows whose signals are still on their way
 */
export function pollPauseMs(emptyPolls: number): number {
  return emptyPolls < 2 ? 0 : Math.min(firstPauseMs * 2 ** (emptyPolls - 2), maxPauseMs);
}

/**
 * Polls for due rows at signals: one poll at a time, at most one in 4 ms, and one more for all signals
 * meanwhile.
 * Signals reach every worker, but the first takes the rows. So a process that repeatedly finds
 * nothing waits, at most 80 ms, and leaves the rows to those that find some.
 */
export class SignalledPolls {
  readonly #poll: () => Promise<boolean>;
  readonly #closing = new AbortController();
  #requested = false;
  #emptyPolls = 0;
  #notBefore = -Infinity;
  #running: Promise<void> | undefined;

  /** @param poll returns whether it found rows; never throws */
  constructor(poll: () => Promise<boolean>) {
    this.#poll = poll;
  }

  /** Notes a signal; returns at once. */
  signal(): void {
    if (this.#closing.signal.aborted) return;
    this.#requested = true;
    this.#running ??= this.#run();
  }

  /** Ends pauses, accepts no more signals and waits for the running poll. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#requested && (await this.#mayPoll())) {
      this.#requested = false;
      const nextFrom = performance.now() + minSpacingMs;
      this.#emptyPolls = (await this.#poll()) ? 0 : this.#emptyPolls + 1;
      this.#notBefore = Math.max(nextFrom, performance.now() + pollPauseMs(this.#emptyPolls));
    }
    this.#running = undefined;
  }

  /** Ends the pause. @returns false when it is closed */
  async #mayPoll(): Promise<boolean> {
    const { signal } = this.#closing;
    const waitMs = this.#notBefore - performance.now();
    if (waitMs > 0) await pause(waitMs, undefined, { signal }).catch(() => undefined);
    return !signal.aborted;
  }
}
