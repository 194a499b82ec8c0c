// How this process runs isolated deliveries: those whose claims ended several times without a result, because their
// process ended.
//
// Invariant: while one runs, nothing else of this process is in flight or unrecorded. So if the process ends, that
// delivery is the cause, and no other delivery is interrupted. One lock in PostgreSQL (domain/delivery/isolation.ts) lets one
// process at a time do so.
//
// A crash leaves the lock until it expires, and the lease of that one claim.
import { type Clock, delay, processClock } from '../clock.js';
import type { Dispatcher } from './dispatcher.js';

interface IsolationOptions {
  /** Takes the isolation lock if an isolated delivery is ready. @returns whether this process has it */
  readonly acquireLock: () => Promise<boolean>;
  /** Releases the lock; no process can take it again for `cooldownMs` milliseconds. */
  readonly releaseLock: (cooldownMs: number) => Promise<void>;
  /** Sends one isolated delivery at a time, and claims none while a result is unrecorded; starts paused. */
  readonly isolated: Dispatcher;
  /** The other dispatchers of this process. */
  readonly others: readonly Dispatcher[];
  /** Attempts of this process that have ended and are not recorded yet. */
  readonly unrecorded: () => number;
  /** Milliseconds until the lock expires. */
  readonly lockMs: number;
  readonly onError: (error: unknown) => void;
  /** Defaults to the process clock. */
  readonly clock?: Clock;
}

/** For this long, and until the attempt in flight ends, the process runs only isolated deliveries. */
const isolationMs = 1_000;

const recordPollMs = 5;

/** Time to record ended attempts twice. */
const recordMarginMs = 5_000;

/**
 * Milliseconds that a process needs the lock for, at most, if an attempt may take `timeoutMs`. Attempts in
 * flight end first, and the last isolated attempt may start just before {@link isolationMs} is over.
 */
export function maxIsolationLockMs(timeoutMs: number): number {
  return 2 * timeoutMs + isolationMs + recordMarginMs;
}

/**
 * Runs isolated deliveries while the other lanes of this process pause. Afterwards no process does so for as long as that
 * took, so a single worker spends at most half of its time on them.
 */
export class Isolation {
  readonly #options: IsolationOptions;
  readonly #clock: Clock;
  #running: Promise<void> | undefined;

  constructor(options: IsolationOptions) {
    this.#options = options;
    this.#clock = options.clock ?? processClock;
  }

  /** Runs ready isolated deliveries, unless it does so already. Never throws. */
  poll(): void {
    this.#running ??= this.#run()
      .catch(this.#options.onError)
      .finally(() => {
        this.#running = undefined;
      });
  }

  /** Resolves when no isolated delivery runs; the caller stops the dispatchers. */
  async ended(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    const { acquireLock, releaseLock, isolated, others, lockMs } = this.#options;
    if (!(await acquireLock())) return;

    const startedAt = this.#clock.now();
    try {
      await Promise.all(others.map((dispatcher) => dispatcher.pause()));
      const cancelEndTimer = this.#clock.after(isolationMs, () => void isolated.pause());
      await isolated.resume();
      cancelEndTimer();
      await isolated.pause();
      await this.#untilRecorded(startedAt + lockMs);
    } finally {
      for (const dispatcher of others) void dispatcher.resume();
      await releaseLock(this.#clock.now() - startedAt);
    }
  }

  /** Waits until `until`, at most: PostgreSQL may refuse a row permanently, and other lanes must resume. */
  async #untilRecorded(until: number): Promise<void> {
    const { unrecorded } = this.#options;
    while (unrecorded() > 0 && this.#clock.now() < until) await delay(this.#clock, recordPollMs);
  }
}
