import type { Clock } from './clock.js';

/** Recording lags when nothing was recorded for so long, although something waits. */
const lagMs = 1_000;
/** When PostgreSQL refuses so many rows one after the other, the rows are not at fault. */
const mostRefused = 5;

/** Whether PostgreSQL records what it is given: what a process goes by before it sends more. */
export class RecordingHealth {
  readonly #clock: Clock;
  #failing = false;
  #refusedInARow = 0;
  /** When something was recorded last, or began to wait while nothing did. */
  #movedAt = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether PostgreSQL refuses whatever it is given, instead of rows that are at fault. */
  get refusesAll(): boolean {
    return this.#refusedInARow >= mostRefused;
  }

  /** Whether rows that were refused are at fault: another transaction has been committed since. */
  get blamesRows(): boolean {
    return this.#refusedInARow === 0;
  }

  /** Whether recording fails or lags. @param waits whether anything waits to be recorded */
  isStalled(waits: boolean): boolean {
    if (this.refusesAll) return true;
    return waits && (this.#failing || this.#clock.now() - this.#movedAt > lagMs);
  }

  /** Something waits to be recorded, and nothing did. */
  began(): void {
    this.#movedAt = this.#clock.now();
  }

  /** A transaction was committed. */
  recorded(): void {
    this.#failing = false;
    this.#refusedInARow = 0;
    this.#movedAt = this.#clock.now();
  }

  /** A transaction failed that may succeed a moment later. */
  failed(): void {
    this.#failing = true;
  }

  /** A row was refused that no transaction shared. */
  refused(): void {
    this.#refusedInARow += 1;
  }
}
