import type { Clock } from '../process/clock.js';

/** Durations in milliseconds. */
export interface DatabaseStabilityOptions {
  /** Once PostgreSQL has answered for this long, every live process has reached it. */
  readonly graceMs: number;
  /** A process without a heartbeat for longer than this has stalled; so has a PostgreSQL without an answer. */
  readonly stallMs: number;
  readonly clock: Clock;
}

/**
 * Says which leases this process may end. A lease that ended belongs to a dead process, unless living
 * processes had no chance to extend theirs: PostgreSQL was away, or it paused.
 *
 * - When PostgreSQL comes back, living processes need time to extend their leases. Until it has answered
 *   for a while, no lease may be ended.
 * - A poll may wait in its connection while PostgreSQL pauses, and run when it continues. So a poll ends
 *   only leases that had ended before it was sent: by PostgreSQL's clock, when it last answered.
 */
export class DatabaseStability {
  readonly #options: DatabaseStabilityOptions;
  /** Since when PostgreSQL has answered without a failure; undefined before its first answer. */
  #since: number | undefined;
  #lastHeartbeatAt: number;
  /** PostgreSQL's time at its latest answer. */
  #answeredMs = -Infinity;

  constructor(options: DatabaseStabilityOptions) {
    this.#options = options;
    this.#lastHeartbeatAt = options.clock.now();
  }

  /**
   * The latest end of a lease that a poll sent now may end, in milliseconds since 1970 of PostgreSQL's
   * clock. -Infinity for none.
   */
  get endedBy(): number {
    this.heartbeat();
    const { graceMs, clock } = this.#options;
    const isStable = this.#since !== undefined && clock.now() - this.#since >= graceMs;
    return isStable ? this.#answeredMs : -Infinity;
  }

  /** Call it about once a second: the process has not stalled. */
  heartbeat(): void {
    const now = this.#options.clock.now();
    if (now - this.#lastHeartbeatAt > this.#options.stallMs) this.failed();
    this.#lastHeartbeatAt = now;
  }

  /**
   * PostgreSQL answered a poll.
   * @param databaseMs its time then, in milliseconds since 1970
   */
  answered(databaseMs: number): void {
    this.#answeredMs = databaseMs;
    this.#since ??= this.#options.clock.now();
  }

  /** A poll that was sent at `sentAt` has ended, with an answer or without. */
  ended(sentAt: number): void {
    if (this.#options.clock.now() - sentAt > this.#options.stallMs) this.failed();
  }

  /** PostgreSQL did not answer, or refused a statement. */
  failed(): void {
    this.#since = undefined;
  }
}
