import type { Worker } from 'bullmq';
import { setTimeout as pause } from 'node:timers/promises';
import type { WakeupKind } from '../domain/wakeup.js';
import { connectQueue, jobNames, type QueueConnection, type QueueOptions } from './connection.js';

/** What {@link listen} needs to know. */
export interface ListenOptions extends QueueOptions {
  readonly kinds: readonly WakeupKind[];
  /**
   * Called for a wake-up, one at a time and kind; `scheduled` when it was for a later second. While it
   * runs, further wake-ups go to other processes. What it throws is reported and forgotten: the poller looks again.
   */
  readonly onWakeup: (kind: WakeupKind, scheduled: boolean) => Promise<void>;
}

/** Listens to the queue until closed. */
export interface Listeners {
  /** Takes no further wake-up and waits for the running ones. */
  close(): Promise<void>;
}

const retryMs = 1_000;
const closeLimitMs = 1_000;

/** Takes wake-ups as they come; the queue may be away at any time, at the start too. */
export function listen(options: ListenOptions): Listeners {
  const connection = connectQueue(options, options.kinds.length);
  const listeners = options.kinds.map((kind) => new QueueListener(connection, kind, options));
  return {
    async close() {
      await Promise.all(listeners.map((listener) => listener.close()));
      await connection.close();
    },
  };
}

/** One BullMQ worker, made anew as long as it cannot become ready. */
class QueueListener {
  readonly #connection: QueueConnection;
  readonly #kind: WakeupKind;
  readonly #options: ListenOptions;
  readonly #closing = new AbortController();
  readonly #opened: Promise<void>;
  #worker: Worker | undefined;
  #running: Promise<void> | undefined;

  constructor(connection: QueueConnection, kind: WakeupKind, options: ListenOptions) {
    this.#connection = connection;
    this.#kind = kind;
    this.#options = options;
    this.#opened = this.#open();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#opened;
    if (this.#worker) await this.#end(this.#worker);
  }

  /** BullMQ waits for an answer of a queue that may be away; our own work it must not cut short. */
  async #end(worker: Worker): Promise<void> {
    // Handled at once: it may fail long before our own work has ended.
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
      const worker = this.#connection.worker(
        this.#kind,
        ({ name }) => (this.#running = this.#run(name === jobNames.scheduled)),
      );
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
    // Taken off again: while the queue is away this is done every second.
    return Promise.race([ready, aborted]).finally(() =>
      signal.removeEventListener('abort', giveUp),
    );
  }

  async #run(scheduled: boolean): Promise<void> {
    try {
      await this.#options.onWakeup(this.#kind, scheduled);
    } catch (error) {
      this.#options.onError(error as Error);
    }
  }
}
