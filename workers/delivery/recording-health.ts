import type { Clock } from '../process/clock.js';

/** Recording stalls when nothing was recorded for this long although attempts wait. */
const lagMs = 1_000;
/** Consecutive refused rows from which PostgreSQL, not the row, is taken for the cause. */
const maxRejections = 5;

/** Whether PostgreSQL records results; a process claims little while it does not. */
export class RecordingHealth {
  readonly #clock: Clock;
  #failing = false;
  #rejectionsInARow = 0;
  /** When an attempt was last recorded, or was the first to wait. */
  #lastProgressAt = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether PostgreSQL refuses every row, instead of invalid ones. */
  get rejectsAll(): boolean {
    return this.#rejectionsInARow >= maxRejections;
  }

  /** Whether refused rows are invalid: another transaction has committed since. */
  get rowsAreInvalid(): boolean {
    return this.#rejectionsInARow === 0;
  }

  /** Whether recording fails or stalls. @param hasWaiting whether an attempt waits to be recorded */
  isStalled(hasWaiting: boolean): boolean {
    if (this.rejectsAll) return true;
    return hasWaiting && (this.#failing || this.#clock.now() - this.#lastProgressAt > lagMs);
  }

  /** The first attempt waits to be recorded. */
  waitingStarted(): void {
    this.#lastProgressAt = this.#clock.now();
  }

  /** A transaction has committed. */
  recorded(): void {
    this.#failing = false;
    this.#rejectionsInARow = 0;
    this.#lastProgressAt = this.#clock.now();
  }

  /** A transaction failed that may succeed when retried. */
  failed(): void {
    this.#failing = true;
  }

  /** PostgreSQL refused a row that was by itself in its transaction. */
  refused(): void {
    this.#rejectionsInARow += 1;
  }
}
