import type { Worker } from 'bullmq';
import { setTimeout as pause } from 'node:timers/promises';
import { Listener } from '../database/listener.js';
import { channelOf, type WakeupKind } from '../domain/wakeup.js';
import { connectQueue, type QueueConnection, type QueueOptions } from './connection.js';
import { SignalledPolls } from './signalled-polls.js';

export interface ListenOptions extends QueueOptions {
  readonly kinds: readonly WakeupKind[];
  /**
   * Called for each wake-up, for all signals that arrive while it runs once, and for each
   * connection. `scheduled` is true if the wake-up was sent for a later second. An error is reported
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
export function listen(options: ListenOptions): Listeners {
  const connection = connectQueue(options);
  const listeners = new Map(
    options.kinds.map((kind) => [kind, new QueueListener(connection, kind, options)]),
  );
  const signals = [...listeners].map(
    ([kind, each]) => [channelOf(kind), () => each.signal()] as const,
  );

  // One connection for all, because a signal wakes every session of the database that listens.
  const listener = new Listener({
    url: options.databaseUrl,
    channels: { ...Object.fromEntries(signals), ...connection.channels },
    onError: options.onError,
  });

  return {
    async close() {
      await Promise.all([listener.close(), ...[...listeners.values()].map((each) => each.close())]);
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
    const looked = this.#polls.close();
    await this.#opened;
    if (this.#worker) await this.#end(this.#worker);
    await looked;
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
