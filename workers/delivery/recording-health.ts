import type { Clock } from '../process/clock.js';

/** Recording lags when nothing was recorded for so long, although something waits. */
const lagMs = 1_000;
/** When PostgreSQL refuses so many rows one after the other, the rows are not at fault. */
const maxRejections = 5;

/** Whether PostgreSQL records what it is given: what a process goes by before it sends more. */
export class RecordingHealth {
  readonly #clock: Clock;
  #failing = false;
  #rejectionsInARow = 0;
  /** When something was recorded last, or began to wait while nothing did. */
  #lastProgressAt = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether PostgreSQL refuses whatever it is given, instead of rows that are at fault. */
  get rejectsAll(): boolean {
    return this.#rejectionsInARow >= maxRejections;
  }

  /** Whether rows that were refused are at fault: another transaction has been committed since. */
  get rowsAreInvalid(): boolean {
    return this.#rejectionsInARow === 0;
  }

  /** Whether recording fails or lags. @param waits whether anything waits to be recorded */
  isStalled(hasWaiting: boolean): boolean {
    if (this.rejectsAll) return true;
    return hasWaiting && (this.#failing || this.#clock.now() - this.#lastProgressAt > lagMs);
  }

  /** Something waits to be recorded, and nothing did. */
  waitingStarted(): void {
    this.#lastProgressAt = this.#clock.now();
  }

  /** A transaction was committed. */
  recorded(): void {
    this.#failing = false;
    this.#rejectionsInARow = 0;
    this.#lastProgressAt = this.#clock.now();
  }

  /** A transaction failed that may succeed a moment later. */
  failed(): void {
    this.#failing = true;
  }

  /** A row was refused that no transaction shared. */
  refused(): void {
    this.#rejectionsInARow += 1;
  }
}
