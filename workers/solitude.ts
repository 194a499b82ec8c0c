import { type Clock, pause, processClock } from './clock.js';
import type { Dispatcher } from './dispatcher.js';

/** What a {@link Solitude} works with. */
export interface SolitudeOptions {
  /** Takes the turn of all processes, if a chain is ready that is to run alone. */
  readonly takeTurn: () => Promise<boolean>;
  /** Ends it; no process takes the next one for `restMs`. */
  readonly endTurn: (restMs: number) => Promise<void>;
  /** Sends one such chain at a time, and claims none while anything is unsettled; begins held. */
  readonly alone: Dispatcher;
  /** Everybody else who sends in this process. */
  readonly others: readonly Dispatcher[];
  /** Attempts of this process that have ended and are not recorded yet. */
  readonly unsettled: () => number;
  /** For how long a turn is taken. */
  readonly turnMs: number;
  readonly onError: (error: unknown) => void;
  /** That of the process unless it is said. */
  readonly clock?: Clock;
}

/** So long, and no longer than the attempt under way, the process does nothing else. */
const phaseMs = 1_000;
const settleCheckMs = 5;
/** To record what has ended, twice. */
const settleMarginMs = 5_000;

/**
 * The longest turn of a process whose attempts may take `timeoutMs`: what is in flight ends first, and
 * the last one alone may begin when the time for them is nearly over.
 */
export function longestTurnMs(timeoutMs: number): number {
  return 2 * timeoutMs + phaseMs + settleMarginMs;
}

/**
 * Runs chains that processes died with while nothing else of this process is in flight or waits to
 * be recorded: whatever ends the process then was no neighbour's doing, and takes nobody along. One
 * process of all does so at a time, and then none for as long as that took: the others go on meanwhile,
 * and a process without others loses half of its time at most.
 */
export class Solitude {
  readonly #options: SolitudeOptions;
  readonly #clock: Clock;
  #running: Promise<void> | undefined;

  constructor(options: SolitudeOptions) {
    this.#options = options;
    this.#clock = options.clock ?? processClock;
  }

  /** Looks for such chains, unless one is being run. Never throws. */
  look(): void {
    this.#running ??= this.#run()
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
    const { takeTurn, endTurn, alone, others, turnMs } = this.#options;
    if (!(await takeTurn())) return;
    const begunAt = this.#clock.now();
    try {
      await Promise.all(others.map((each) => each.hold()));
      const callOffEnd = this.#clock.after(phaseMs, () => void alone.hold());
      await alone.resume();
      callOffEnd();
      await alone.hold();
      await this.#settled(begunAt + turnMs);
    } finally {
      for (const each of others) void each.resume();
      await endTurn(this.#clock.now() - begunAt);
    }
  }

  /** A row that PostgreSQL refuses for good is given up when others are recorded: they have to go on. */
  async #settled(until: number): Promise<void> {
    const { unsettled } = this.#options;
    while (unsettled() > 0 && this.#clock.now() < until) await pause(this.#clock, settleCheckMs);
  }
}
