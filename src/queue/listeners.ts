import type { Worker } from 'bullmq';
import { setTimeout as pause } from 'node:timers/promises';
import type { WakeupKind } from '../domain/wakeup.js';
import { connectQueue, jobNames, type QueueConnection, type QueueOptions } from './connection.js';

export interface ListenOptions extends QueueOptions {
  readonly kinds: readonly WakeupKind[];
  /**
   * Called for each wake-up, one at a time per kind. `scheduled` is true if it was sent for a later
   * second. While it runs, other processes receive the further wake-ups. An error is reported and
   * otherwise ignored, because the poller finds the rows.
   */
  readonly onWakeup: (kind: WakeupKind, scheduled: boolean) => Promise<void>;
}

/** Listens to the queue until closed. */
export interface Listeners {
  /** Accepts no further wake-up and waits for the running ones. */
  close(): Promise<void>;
}

const retryMs = 1_000;
const closeLimitMs = 1_000;

/** Listens for wake-ups. The queue may be down at any time, even at the start. */
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

/** One BullMQ worker, which is replaced until one becomes ready. */
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
    // Removes the listener: while the queue is down this runs every second.
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
