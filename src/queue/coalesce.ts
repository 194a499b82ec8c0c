import type { Wakeup } from '../domain/wakeup.js';

/** Sends wake-ups to one queue: one now, or one at the beginning of each of some seconds. */
export interface WakeupSender {
  send(now: boolean, seconds: readonly number[]): Promise<void>;
}

export interface CoalescerOptions {
  readonly sender: WakeupSender;
  /** Called when sending failed. Its wake-ups are dropped; the poller finds their rows. */
  readonly onFailure: (error: unknown) => void;
  /** Milliseconds since the epoch. Defaults to `Date.now`. */
  readonly clock?: () => number;
}

/** At most one send per queue and process in this time. */
const minIntervalMs = 5;

/**
 * The poller covers wake-ups further ahead. A queue that may be flushed need not hold a whole day.
 */
const horizonSeconds = 3_600;

/**
 * Turns any number of wake-ups of one kind into few sends, one at a time:
 * - for now, at most one every 5 ms, and one for the next second, because nothing stores a signal;
 * - for later, one for each second.
 * Holds at most an hour of seconds, even if the queue is down.
 */
export class Coalescer {
  readonly #options: CoalescerOptions;
  readonly #clock: () => number;
  readonly #seconds = new Set<number>();
  readonly #sent = new Set<number>();
  #now = false;
  #lastSentAt = -Infinity;
  #cancelTimer: (() => void) | undefined;
  #sending: Promise<void> | undefined;
  #closed = false;

  constructor(options: CoalescerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? Date.now;
  }

  /** Adds a wake-up; returns at once. */
  add({ at, signalled = false }: Wakeup): void {
    if (this.#closed) return;
    const current = Math.floor(this.#clock() / 1_000);
    // Rounds up: when it is sent, all rows that fell due within the second are due.
    const second = at === undefined ? current : Math.ceil(at.getTime() / 1_000);
    if (second <= current && !signalled) this.#now = true;
    const kept = Math.max(second, current + 1);
    if (kept <= current + horizonSeconds && !this.#sent.has(kept)) this.#seconds.add(kept);
    this.#schedule();
  }

  /** Sends pending wake-ups once, and accepts no more. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    await this.#sending;
    if (this.#hasPending()) await this.#send();
  }

  #hasPending(): boolean {
    return this.#now || this.#seconds.size > 0;
  }

  #schedule(): void {
    if (this.#cancelTimer || this.#sending || !this.#hasPending()) return;
    this.#cancelTimer = after(this.#lastSentAt + minIntervalMs - performance.now(), () => {
      this.#cancelTimer = undefined;
      void this.#send();
    });
  }

  #send(): Promise<void> {
    const now = this.#now;
    const seconds = [...this.#seconds];
    this.#now = false;
    this.#seconds.clear();
    this.#lastSentAt = performance.now();
    this.#remember(seconds);
    this.#sending = this.#options.sender
      .send(now, seconds)
      .catch((error: unknown) => {
        for (const second of seconds) this.#sent.delete(second);
        this.#options.onFailure(error);
      })
      .finally(() => {
        this.#sending = undefined;
        if (!this.#closed) this.#schedule();
      });
    return this.#sending;
  }

  #remember(seconds: readonly number[]): void {
    const current = Math.floor(this.#clock() / 1_000);
    if (this.#sent.size > horizonSeconds) {
      for (const second of this.#sent) if (second <= current) this.#sent.delete(second);
    }
    for (const second of seconds) this.#sent.add(second);
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
