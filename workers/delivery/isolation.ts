import { type Clock, delay, processClock } from '../process/clock.js';
import type { Dispatcher } from './dispatcher.js';

/** What a {@link Isolation} works with. */
export interface IsolationOptions {
  /** Takes the turn of all processes, if a pending delivery is ready that is to run alone. */
  readonly acquireLock: () => Promise<boolean>;
  /** Ends it; no process takes the next one for `cooldownMs`. */
  readonly releaseLock: (cooldownMs: number) => Promise<void>;
  /** Sends one such pending delivery at a time, and claims none while anything is unsettled; begins held. */
  readonly isolated: Dispatcher;
  /** Everybody else who sends in this process. */
  readonly others: readonly Dispatcher[];
  /** Attempts of this process that have ended and are not recorded yet. */
  readonly unrecorded: () => number;
  /** For how long a turn is taken. */
  readonly lockMs: number;
  readonly onError: (error: unknown) => void;
  /** That of the process unless it is said. */
  readonly clock?: Clock;
}

/** So long, and no longer than the attempt under way, the process does nothing else. */
const isolationMs = 1_000;
const recordPollMs = 5;
/** To record what has ended, twice. */
const recordMarginMs = 5_000;

/**
 * The longest turn of a process whose attempts may take `timeoutMs`: what is in flight ends first, and
 * the last one alone may begin when the time for them is nearly over.
 */
export function maxIsolationLockMs(timeoutMs: number): number {
  return 2 * timeoutMs + isolationMs + recordMarginMs;
}

/**
 * Runs pending deliveries that processes died with while nothing else of this process is in flight or waits to
 * be recorded: whatever ends the process then was no neighbour's doing, and takes nobody along. One
 * process of all does so at a time, and then none for as long as that took: the others go on meanwhile,
 * and a process without others loses half of its time at most.
 */
export class Isolation {
  readonly #options: IsolationOptions;
  readonly #clock: Clock;
  #running: Promise<void> | undefined;

  constructor(options: IsolationOptions) {
    this.#options = options;
    this.#clock = options.clock ?? processClock;
  }

  /** Looks for such pending deliveries, unless one is being run. Never throws. */
  poll(): void {
    this.#running ??= this.#run()
      .catch(this.#options.onError)
      .finally(() => {
        this.#running = undefined;
      });
  }

  /** Resolves when none is being run; the dispatchers are stopped by whoever made them. */
  async ended(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    const { acquireLock, releaseLock, isolated, others, lockMs } = this.#options;
    if (!(await acquireLock())) return;
    const startedAt = this.#clock.now();
    try {
      await Promise.all(others.map((each) => each.pause()));
      const cancelEndTimer = this.#clock.after(isolationMs, () => void isolated.pause());
      await isolated.resume();
      cancelEndTimer();
      await isolated.pause();
      await this.#untilRecorded(startedAt + lockMs);
    } finally {
      for (const each of others) void each.resume();
      await releaseLock(this.#clock.now() - startedAt);
    }
  }

  /** A row that PostgreSQL refuses for good is given up when others are recorded: they have to go on. */
  async #untilRecorded(until: number): Promise<void> {
    const { unrecorded } = this.#options;
    while (unrecorded() > 0 && this.#clock.now() < until) await delay(this.#clock, recordPollMs);
  }
}
