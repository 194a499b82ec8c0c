import type { RecoveriesDue } from '../src/domain/recovery/recoveries.js';
import type { StepResult } from '../src/domain/recovery/run-step.js';
import { type Clock, processClock, delayUnlessStopped, jittered } from './clock.js';

interface RecoveryRunnerOptions {
  /** See `recoveriesDue`. */
  readonly due: () => Promise<RecoveriesDue>;
  /** See `runRecoveryStep`. */
  readonly step: () => Promise<StepResult | undefined>;
  /** Claims ready deliveries of recoveries. */
  readonly pollLane: () => void;
  /** Called after each step. */
  readonly onStep: (result: StepResult) => void;
  readonly onError: (error: unknown) => void;
  /** Defaults to the process clock. */
  readonly clock?: Clock;
}

/** Pause between two rounds while a recovery runs. */
const busyMs = 100;
/** Steps in a row, at most, so that the process soon claims the deliveries that they added. */
const maxSteps = 10;

/**
 * Runs recoveries step by step, every 100 ms while one runs. The poller finds those that have begun.
 * PostgreSQL gives each step to one process, so several of them share the work.
 */
export class RecoveryRunner {
  readonly #options: RecoveryRunnerOptions;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: RecoveryRunnerOptions) {
    this.#options = options;
  }

  /** Takes the steps that are due until no recovery runs; does nothing while it already runs. Never throws. */
  poll(): void {
    if (this.#stopping.signal.aborted) return;
    this.#running ??= this.#run()
      .catch(this.#options.onError)
      .finally(() => (this.#running = undefined));
  }

  /** Waits for the running step. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock = processClock, due, pollLane } = this.#options;
    const { signal } = this.#stopping;
    for (let running = true; running && !signal.aborted;) {
      const recoveries = await due();
      const added = recoveries.due && (await this.#takeSteps());
      if (recoveries.ready || added) pollLane();
      running = recoveries.running && (await delayUnlessStopped(jittered(busyMs), signal, clock));
    }
  }

  /** @returns whether a step added a delivery */
  async #takeSteps(): Promise<boolean> {
    const { step, onStep } = this.#options;
    let added = false;
    for (let count = 0; count < maxSteps && !this.#stopping.signal.aborted; count += 1) {
      const result = await step();
      if (!result) break;
      onStep(result);
      added ||= result.failed + result.missed > 0;
    }
    return added;
  }
}
