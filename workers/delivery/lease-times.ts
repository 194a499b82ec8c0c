// How long leases last, and which expired ones this process may end.
//
// Both follow from one question: is the process of a lease dead, or had it no chance to extend it? PostgreSQL
// may have been away, or the process may have stalled. A process that cannot tell ends no lease: the delivery
// then waits a little longer, and is not sent twice.
import type { Clock } from '../clock.js';

/**
 * Milliseconds, at least, by which a lease outlasts one attempt: time to record the result, and to retry
 * that. With a longer attempt timeout the margin is that timeout, so a shorter timeout also makes a crash
 * cost less.
 */
const minMarginMs = 4_000;

/** Milliseconds, at most, to reconnect and repeat a statement after PostgreSQL comes back. */
const maxGraceMs = 10_000;

/** The times of a claim, in milliseconds. */
export interface LeaseTimes {
  readonly leaseMs: number;
  /** Claims that took longer to come back are released: the process may have stalled. */
  readonly claimTimeoutMs: number;
  /** An attempt starts within this time after its claim came back, or its claim is released. */
  readonly startTimeoutMs: number;
  /** PostgreSQL must answer for this long before expired leases are ended: time to extend them first. */
  readonly graceMs: number;
}

/**
 * The times of a claim whose attempt may take `timeoutMs` milliseconds. The margin has three equal parts:
 * until the claim is back, until the attempt starts, and for recording its result.
 */
export function leaseTimes(timeoutMs: number): LeaseTimes {
  const marginMs = Math.max(timeoutMs, minMarginMs);
  const thirdMs = marginMs / 3;
  return {
    leaseMs: timeoutMs + marginMs,
    claimTimeoutMs: thirdMs,
    startTimeoutMs: thirdMs,
    graceMs: Math.min(marginMs, maxGraceMs),
  };
}

/** Durations in milliseconds. */
interface DatabaseStabilityOptions {
  /** Once PostgreSQL has answered for this long, every live process has reached it. */
  readonly graceMs: number;
  /** A process without a heartbeat for longer than this has stalled; so has a PostgreSQL without an answer. */
  readonly stallMs: number;
  readonly clock: Clock;
}

/**
 * Says which expired leases this process may end:
 *
 * - When PostgreSQL comes back, living processes need time to extend their leases. Until it has answered
 *   for a while, no lease may be ended.
 * - A poll may wait in its connection while PostgreSQL pauses, and run when it continues. So a poll ends
 *   only leases that had ended before it was sent: by PostgreSQL's clock, when it last answered.
 */
export class DatabaseStability {
  readonly #options: DatabaseStabilityOptions;
  /** When PostgreSQL began to answer without a failure; undefined before its first answer. */
  #stableSince: number | undefined;
  #lastHeartbeatAt: number;
  /** PostgreSQL's time at its latest answer. */
  #answeredMs = -Infinity;

  constructor(options: DatabaseStabilityOptions) {
    this.#options = options;
    this.#lastHeartbeatAt = options.clock.now();
  }

  /**
   * Returns the latest end of a lease that a poll sent now may end, in milliseconds since 1970 of PostgreSQL's
   * clock; -Infinity if it may end none. Counts as a heartbeat.
   */
  endedBy(): number {
    this.heartbeat();
    const { graceMs, clock } = this.#options;
    const isStable = this.#stableSince !== undefined && clock.now() - this.#stableSince >= graceMs;
    return isStable ? this.#answeredMs : -Infinity;
  }

  /** Notes that the process has not stalled. Call it about once a second. */
  heartbeat(): void {
    const now = this.#options.clock.now();
    if (now - this.#lastHeartbeatAt > this.#options.stallMs) this.failed();
    this.#lastHeartbeatAt = now;
  }

  /**
   * Notes that PostgreSQL answered a poll.
   * @param databaseMs its time then, in milliseconds since 1970
   */
  answered(databaseMs: number): void {
    this.#answeredMs = databaseMs;
    this.#stableSince ??= this.#options.clock.now();
  }

  /** Notes that a poll sent at `sentAt` has ended, with an answer or without. */
  ended(sentAt: number): void {
    if (this.#options.clock.now() - sentAt > this.#options.stallMs) this.failed();
  }

  /** Notes that PostgreSQL did not answer, or refused a statement. */
  failed(): void {
    this.#stableSince = undefined;
  }
}
