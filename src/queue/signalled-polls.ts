import { setTimeout as pause } from 'node:timers/promises';

/** The first pause of a process whose polls find nothing, in milliseconds; each pause doubles it. */
const firstPauseMs = 5;
const maxPauseMs = 80;
/** From one poll to the next. Signals that come faster would make a claim for each event. */
const minSpacingMs = 4;

/**
 * Returns how long a process waits before it polls again.
 * @param emptyPolls how many polls in a row found nothing. One is no reason to wait: a claim takes
 *   rows whose signals are still on their way
 */
export function pollPauseMs(emptyPolls: number): number {
  return emptyPolls < 2 ? 0 : Math.min(firstPauseMs * 2 ** (emptyPolls - 2), maxPauseMs);
}

/**
 * Polls for due rows at signals: one poll at a time, at most one in 4 ms, and one more for all signals
 * meanwhile.
 * Signals reach every worker, but the first takes the rows. So a process that repeatedly finds
 * nothing waits, at most 80 ms, and leaves the rows to those that find some.
 */
export class SignalledPolls {
  readonly #poll: () => Promise<boolean>;
  readonly #closing = new AbortController();
  #requested = false;
  #emptyPolls = 0;
  #notBefore = -Infinity;
  #running: Promise<void> | undefined;

  /** @param poll returns whether it found rows; never throws */
  constructor(poll: () => Promise<boolean>) {
    this.#poll = poll;
  }

  /** Notes a signal; returns at once. */
  signal(): void {
    if (this.#closing.signal.aborted) return;
    this.#requested = true;
    this.#running ??= this.#run();
  }

  /** Ends pauses, accepts no more signals and waits for the running poll. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#requested && (await this.#mayPoll())) {
      this.#requested = false;
      const nextFrom = performance.now() + minSpacingMs;
      this.#emptyPolls = (await this.#poll()) ? 0 : this.#emptyPolls + 1;
      this.#notBefore = Math.max(nextFrom, performance.now() + pollPauseMs(this.#emptyPolls));
    }
    this.#running = undefined;
  }

  /** Ends the pause. @returns false when it is closed */
  async #mayPoll(): Promise<boolean> {
    const { signal } = this.#closing;
    const waitMs = this.#notBefore - performance.now();
    if (waitMs > 0) await pause(waitMs, undefined, { signal }).catch(() => undefined);
    return !signal.aborted;
  }
}
