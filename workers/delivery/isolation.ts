// Runs isolated deliveries: those whose claims ended several times without a result, because their process
// ended.
//
// Invariant: while one runs, nothing else of this process is in flight or unrecorded. So if the process ends,
// that delivery is the cause, and no other delivery is interrupted. A lock in PostgreSQL
// (domain/delivery/isolation.ts) lets one process at a time run isolated deliveries.
//
// A crash leaves the lock until it expires, and the lease of that one claim.
import { type Clock, delay, processClock } from '../clock.js';
import type { DeliveryLane } from './lane.js';

interface IsolationOptions {
  /** Takes the isolation lock if an isolated delivery is ready. @returns whether this process has it */
  readonly acquireLock: () => Promise<boolean>;
  /** Releases the lock; no process can take it again for `cooldownMs` milliseconds. */
  readonly releaseLock: (cooldownMs: number) => Promise<void>;
  /** Sends one isolated delivery at a time, and claims none while a result is unrecorded; starts paused. */
  readonly isolatedLane: DeliveryLane;
  /** The other lanes of this process. */
  readonly otherLanes: readonly DeliveryLane[];
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

/** Pause between two checks whether all results are recorded. */
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

  /** Resolves when no isolated delivery runs; the caller stops the lanes. */
  async ended(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    const { acquireLock, releaseLock, isolatedLane, otherLanes, lockMs } = this.#options;
    if (!(await acquireLock())) return;

    const startedAt = this.#clock.now();
    try {
      await Promise.all(otherLanes.map((lane) => lane.pause()));

      const cancelEndTimer = this.#clock.after(isolationMs, () => void isolatedLane.pause());
      await isolatedLane.resume();
      cancelEndTimer();
      await isolatedLane.pause();

      await this.#untilRecorded(startedAt + lockMs);
    } finally {
      for (const lane of otherLanes) void lane.resume();
      await releaseLock(this.#clock.now() - startedAt);
    }
  }

  /** Waits until `until`, at most: PostgreSQL may refuse a row permanently, and other lanes must resume. */
  async #untilRecorded(until: number): Promise<void> {
    const { unrecorded } = this.#options;
    while (unrecorded() > 0 && this.#clock.now() < until) await delay(this.#clock, recordPollMs);
  }
}
