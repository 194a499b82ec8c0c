import type { Clock } from './clock.js';

/** What {@link Steadiness} goes by, in milliseconds. */
export interface SteadinessOptions {
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
export class Steadiness {
  readonly #options: SteadinessOptions;
  #since: number;
  #toldAt: number;

  constructor(options: SteadinessOptions) {
    this.#options = options;
    this.#since = this.#toldAt = options.clock.now();
  }

  /** Whether leases that have ended may be taken for those of processes that died. */
  get isSteady(): boolean {
    this.ticks();
    return this.#toldAt - this.#since >= this.#options.graceMs;
  }

  /** The process goes on; to be told about once a second. */
  ticks(): void {
    const now = this.#options.clock.now();
    if (now - this.#toldAt > this.#options.stallMs) this.#since = now;
    this.#toldAt = now;
  }

  /** The database did not answer, or refused. */
  failed(): void {
    this.#since = this.#toldAt = this.#options.clock.now();
  }
}
