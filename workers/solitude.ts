import { type Clock, pause, processClock } from './clock.js';
import type { Dispatcher } from './dispatcher.js';

/** What a {@link Solitude} works with. */
export interface SolitudeOptions {
  /** Whether a chain is ready that is to run alone. */
  readonly asked: () => Promise<boolean>;
  /** Sends one such chain at a time, and claims none while anything is unsettled; begins held. */
  readonly alone: Dispatcher;
  /** Everybody else who sends in this process. */
  readonly others: readonly Dispatcher[];
  /** Attempts of this process that have ended and are not recorded yet. */
  readonly unsettled: () => number;
  readonly onError: (error: unknown) => void;
  /** That of the process unless it is said. */
  readonly clock?: Clock;
}

/** So long, and no longer than the attempt under way, the process does nothing else. */
const phaseMs = 1_000;
const settleCheckMs = 5;

/**
 * Runs chains that processes died with while nothing else of this process is in flight or waits to
 * be recorded: whatever ends the process then was no neighbour's doing, and takes nobody along. Rests
 * for as long as that took, so that others lose half of the process at most.
 */
export class Solitude {
  readonly #options: SolitudeOptions;
  readonly #clock: Clock;
  #restUntil = -Infinity;
  #running: Promise<void> | undefined;

  constructor(options: SolitudeOptions) {
    this.#options = options;
    this.#clock = options.clock ?? processClock;
  }

  /** Looks for such chains, unless one is being run or the process rests. Never throws. */
  look(): void {
    if (this.#running || this.#clock.now() < this.#restUntil) return;
    this.#running = this.#run()
      .catch(this.#options.onError)
      .finally(() => {
        this.#running = undefined;
      });
  }

  /** Resolves when none is being run; the dispatchers are stopped by whoever made them. */
  async ended(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    const { asked, alone, others } = this.#options;
    if (!(await asked())) return;
    const begunAt = this.#clock.now();
    try {
      await Promise.all(others.map((each) => each.hold()));
      const callOffEnd = this.#clock.after(phaseMs, () => void alone.hold());
      await alone.resume();
      callOffEnd();
      await alone.hold();
      await this.#settled();
    } finally {
      const now = this.#clock.now();
      this.#restUntil = now + (now - begunAt);
      for (const each of others) void each.resume();
    }
  }

  async #settled(): Promise<void> {
    while (this.#options.unsettled() > 0) await pause(this.#clock, settleCheckMs);
  }
}
