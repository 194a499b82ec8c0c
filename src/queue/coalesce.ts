import type { Wakeup } from '../domain/wakeup.js';

/** Options of a {@link Coalescer}. */
export interface CoalescerOptions {
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
