/** How fast two clocks may drift apart: 100 ppm. */
const drift = 1e-4;

/** When an instant of PostgreSQL's clock is, in milliseconds of the process clock. */
export interface Bounds {
  readonly earliest: number;
  readonly latest: number;
}

/**
 * The difference between PostgreSQL's clock and that of this process, as bounds. Each answer that has
 * PostgreSQL's time narrows them to its round trip, however long that was.
 */
export class ClockBounds {
  /** PostgreSQL's time less the time of this process: at least, and at most. */
  #least = -Infinity;
  #most = Infinity;
  #notedAt = 0;

  /**
   * Notes an answer.
   * @param databaseMs PostgreSQL's time while the statement ran
   * @param sentAt time of this process before the statement
   * @param answeredAt time of this process after it
   */
  note(databaseMs: number, sentAt: number, answeredAt: number): void {
    const drifted = Math.max(0, answeredAt - this.#notedAt) * drift;
    const least = Math.max(this.#least - drifted, databaseMs - answeredAt);
    const most = Math.min(this.#most + drifted, databaseMs - sentAt);
    // What was known contradicts the answer: a clock was set.
    const wasSet = least > most;
    this.#least = wasSet ? databaseMs - answeredAt : least;
    this.#most = wasSet ? databaseMs - sentAt : most;
    this.#notedAt = answeredAt;
  }

  /** Converts an instant of PostgreSQL's clock, once an answer is noted. */
  of(databaseMs: number): Bounds {
    return { earliest: databaseMs - this.#most, latest: databaseMs - this.#least };
  }
}
