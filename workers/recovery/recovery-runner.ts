import type { RecoveriesDue } from '../../src/domain/recovery/end-recoveries.js';
import type { StepResult } from '../../src/domain/recovery/run-step.js';
import { type Clock, processClock } from '../process/clock.js';
import { delayUnlessStopped, jittered } from '../process/jitter.js';

export interface RecoveryRunnerOptions {
  /** See `recoveriesDue`. */
  readonly due: () => Promise<RecoveriesDue>;
  /** See `runRecoveryStep`. */
  readonly step: () => Promise<StepResult | undefined>;
  /** Claims ready deliveries of recoveries. */
  readonly claim: () => void;
  /** Called after each step. */
  readonly onStep: (result: StepResult) => void;
  readonly onError: (error: unknown) => void;
  /** Defaults to the process clock. */
  readonly clock?: Clock;
}

const idleMs = 1_000;
const busyMs = 100;
/** One look takes at most this many steps, so that the process soon claims what they added. */
const maxSteps = 10;

/**
 * Runs recoveries step by step: looks once a second for one, and every 100 ms while one runs.
 * PostgreSQL gives each step to one process, so several of them share the work.
 */
export class RecoveryRunner {
  readonly #options: RecoveryRunnerOptions;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;

  constructor(options: RecoveryRunnerOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  /** Stops the timer and waits for the running step. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock = processClock, due, claim, onError } = this.#options;
    let wait = idleMs;
    while (await delayUnlessStopped(jittered(wait), this.#stopping.signal, clock)) {
      wait = idleMs;
      try {
        const found = await due();
        if (found.running) wait = busyMs;
        const added = found.due && (await this.#takeSteps());
        if (found.ready || added) claim();
      } catch (error) {
        onError(error);
      }
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
