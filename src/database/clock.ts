import { singleRow } from '../domain/transaction/rows.js';
import type { Read } from '../domain/transaction/tx.js';

const readStatement = {
  name: 'clock_read',
  text: `select (extract(epoch from clock_timestamp()) * 1000)::float8 as "clockMs"`,
};

/** The clock asks again when its last answer is older than this. */
const maxAgeMs = 60_000;

/** The clock asks again when wall clock and monotonic clock differ by more than this, as after a suspend. */
const maxPartingMs = 1_000;

/** A clock of PostgreSQL that went back by less than this stands still until it has caught up. */
const maxHoldMs = 1_000;

/** How fast PostgreSQL's clock and the monotonic clock of a process may drift apart: 100 ppm. */
export const clockDrift = 1e-4;

/** The clocks of this process, in milliseconds. */
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
 * monotonic clock of this process, which the answers of PostgreSQL correct. A reading is wrong by at
 * most half a round trip of the last answer, or of an earlier one that was faster. Each second since adds
 * 0.1 ms. Readings never go back, unless PostgreSQL's clock goes back by a second.
 */
export class DatabaseClock {
  readonly #read: Pick<Read, 'sql'>;
  readonly #clocks: ProcessClocks;
  #offsetMs = 0;
  /** How wrong the offset could be when it was taken. */
  #errorMs = Infinity;
  #takenAt = 0;
  /** Both clocks at the last answer. */
  #answered: { readonly monotonic: number; readonly wall: number } | undefined;
  #lastMs = -Infinity;
  #asking: Promise<unknown> | undefined;

  constructor(read: Pick<Read, 'sql'>, clocks = processClocks) {
    this.#read = read;
    this.#clocks = clocks;
  }

  /** Returns PostgreSQL's time. Asks for it only if no answer of the last minute tells it. */
  async now(): Promise<Date> {
    if (this.#mustAsk()) {
      this.#asking ??= this.corrected(() => this.#ask()).finally(() => (this.#asking = undefined));
      await this.#asking;
    }
    const nowMs = this.#clocks.monotonic() + this.#offsetMs;
    const held = nowMs < this.#lastMs && this.#lastMs - nowMs < maxHoldMs;
    this.#lastMs = held ? this.#lastMs : nowMs;
    return new Date(Math.floor(this.#lastMs));
  }

  /** Runs a statement whose answer has PostgreSQL's `clock_timestamp()`, and corrects this clock. */
  async corrected<Answer extends { readonly clockMs: number }>(
    statement: () => Promise<Answer>,
  ): Promise<Answer> {
    const sentAt = this.#clocks.monotonic();
    const answer = await statement();
    this.#correct(answer.clockMs, sentAt, this.#clocks.monotonic());
    return answer;
  }

  /**
   * Takes the answer for the time in the middle of the round trip, if that is more exact than what
   * is known or contradicts it. A statement that waited for a lock tells nothing.
   */
  #correct(clockMs: number, sentAt: number, receivedAt: number): void {
    this.#answered = { monotonic: receivedAt, wall: this.#clocks.wall() };
    const halfTripMs = (receivedAt - sentAt) / 2;
    const offsetMs = clockMs - sentAt - halfTripMs;
    const knownErrorMs = this.#errorMs + (receivedAt - this.#takenAt) * clockDrift;
    const apartMs = Math.abs(offsetMs - this.#offsetMs);
    if (halfTripMs > knownErrorMs && apartMs <= halfTripMs + knownErrorMs) return;
    this.#offsetMs = offsetMs;
    this.#errorMs = halfTripMs;
    this.#takenAt = receivedAt;
  }

  #mustAsk(): boolean {
    if (!this.#answered) return true;
    const passedMs = this.#clocks.monotonic() - this.#answered.monotonic;
    const partingMs = this.#clocks.wall() - this.#answered.wall - passedMs;
    return passedMs > maxAgeMs || Math.abs(partingMs) > maxPartingMs;
  }

  #ask(): Promise<{ readonly clockMs: number }> {
    return singleRow(this.#read, readStatement);
  }
}
