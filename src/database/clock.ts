import type { Read } from '../domain/tx.js';

const readStatement = {
  name: 'clock_read',
  text: `select (extract(epoch from clock_timestamp()) * 1000)::float8 as "clockMs"`,
};

/** What the clock knows after this time may have drifted: it then asks again. */
const maxAgeMs = 60_000;

/** A clock of PostgreSQL that went back by less than this stands still until it has caught up. */
const maxHoldMs = 1_000;

/** The clocks of this process, in milliseconds; replaceable in tests. */
export interface ProcessClocks {
  /** Never goes back, and stands still while the machine is suspended. */
  readonly monotonic: () => number;
  /** Goes on while the machine is suspended. */
  readonly wall: () => number;
}

const processClocks: ProcessClocks = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
};

/**
 * PostgreSQL's clock, without a round trip for each reading. It keeps the difference to the
 * monotonic clock of this process, and each answer of PostgreSQL corrects it. A reading is wrong by
 * at most half the round trip of the last answer, and the drift of the two clocks in a minute.
 * Readings never go back, unless PostgreSQL's clock goes back by a second or more.
 */
export class DatabaseClock {
  readonly #read: Pick<Read, 'sql'>;
  readonly #clocks: ProcessClocks;
  #offsetMs = 0;
  #correctedAt = -Infinity;
  #lastMs = -Infinity;
  #refreshing: Promise<unknown> | undefined;

  constructor(read: Pick<Read, 'sql'>, clocks = processClocks) {
    this.#read = read;
    this.#clocks = clocks;
  }

  /** Returns PostgreSQL's time; asks for it only when no answer of the last minute tells it. */
  async now(): Promise<Date> {
    // Counted by the wall clock, so that a suspended machine asks again. A clock set back does, too.
    if (Math.abs(this.#clocks.wall() - this.#correctedAt) > maxAgeMs) {
      this.#refreshing ??= this.corrected(() => this.#ask()).finally(
        () => (this.#refreshing = undefined),
      );
      await this.#refreshing;
    }
    const nowMs = this.#clocks.monotonic() + this.#offsetMs;
    const held = nowMs < this.#lastMs && this.#lastMs - nowMs < maxHoldMs;
    this.#lastMs = held ? this.#lastMs : nowMs;
    return new Date(Math.floor(this.#lastMs));
  }

  /**
   * Runs a statement whose answer has PostgreSQL's `clock_timestamp()`, and corrects this clock. It
   * takes the answer for the time in the middle of the round trip.
   */
  async corrected<Answer extends { readonly clockMs: number }>(
    statement: () => Promise<Answer>,
  ): Promise<Answer> {
    const sentAt = this.#clocks.monotonic();
    const answer = await statement();
    const middle = (sentAt + this.#clocks.monotonic()) / 2;
    this.#offsetMs = answer.clockMs - middle;
    this.#correctedAt = this.#clocks.wall();
    return answer;
  }

  async #ask(): Promise<{ readonly clockMs: number }> {
    const [row] = await this.#read.sql<{ clockMs: number }>(readStatement, []);
    if (!row) throw new Error('clock_timestamp() returned no row');
    return row;
  }
}
