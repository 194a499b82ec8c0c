import type { Clock } from '../process/clock.js';

/** What {@link DatabaseStability} goes by, in milliseconds. */
export interface DatabaseStabilityOptions {
  /** Nothing failed for so long: whoever lives has reached the database since. */
  readonly graceMs: number;
  /** A process that tells nothing for so long has stood still. */
  readonly stallMs: number;
  readonly clock: Clock;
}

/**
 * Whether the database has answered this process without a break. When it comes back, processes that
 * live need a moment to extend their leases; until then nobody else may take them for dead.
 */
export class DatabaseStability {
  readonly #options: DatabaseStabilityOptions;
  #since: number;
  #lastHeartbeatAt: number;

  constructor(options: DatabaseStabilityOptions) {
    this.#options = options;
    this.#since = this.#lastHeartbeatAt = options.clock.now();
  }

  /** Whether leases that have ended may be taken for those of processes that died. */
  get isStable(): boolean {
    this.heartbeat();
    return this.#lastHeartbeatAt - this.#since >= this.#options.graceMs;
  }

  /** The process goes on; to be told about once a second. */
  heartbeat(): void {
    const now = this.#options.clock.now();
    if (now - this.#lastHeartbeatAt > this.#options.stallMs) this.#since = now;
    this.#lastHeartbeatAt = now;
  }

  /** The database did not answer, or refused. */
  failed(): void {
    this.#since = this.#lastHeartbeatAt = this.#options.clock.now();
  }
}
