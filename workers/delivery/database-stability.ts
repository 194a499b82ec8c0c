import type { Clock } from '../process/clock.js';

/** Durations in milliseconds. */
export interface DatabaseStabilityOptions {
  /** After this time without a failure, every live process has reached the database. */
  readonly graceMs: number;
  /** A process without a heartbeat for longer than this has stalled. */
  readonly stallMs: number;
  readonly clock: Clock;
}

/**
 * Whether the database has answered this process without a failure for a while. When it comes back, live
 * processes need time to extend their leases; until then no process may end the leases of others.
 */
export class DatabaseStability {
  readonly #options: DatabaseStabilityOptions;
  #since: number;
  #lastHeartbeatAt: number;

  constructor(options: DatabaseStabilityOptions) {
    this.#options = options;
    this.#since = this.#lastHeartbeatAt = options.clock.now();
  }

  /** Whether expired leases may be treated as leases of dead processes. */
  get isStable(): boolean {
    this.heartbeat();
    return this.#lastHeartbeatAt - this.#since >= this.#options.graceMs;
  }

  /** Call it about once a second: the process has not stalled. */
  heartbeat(): void {
    const now = this.#options.clock.now();
    if (now - this.#lastHeartbeatAt > this.#options.stallMs) this.#since = now;
    this.#lastHeartbeatAt = now;
  }

  /** The database did not answer, or refused a statement. */
  failed(): void {
    this.#since = this.#lastHeartbeatAt = this.#options.clock.now();
  }
}
