import { setTimeout as pause } from 'node:timers/promises';

/** The first pause of a process whose looks find nothing, in milliseconds; each pause doubles it. */
const firstPauseMs = 5;
const maxPauseMs = 80;

/**
 * Returns how long a process waits before it looks again.
 * @param emptyLooks how many looks in a row found nothing. One is no reason to wait: a claim takes
 *   rows whose signals are still on their way
 */
export function lookPauseMs(emptyLooks: number): number {
  return emptyLooks < 2 ? 0 : Math.min(firstPauseMs * 2 ** (emptyLooks - 2), maxPauseMs);
}

/**
 * Looks for due rows at signals: one look at a time, and one more for all signals during a look.
 * Signals reach every worker, but the first takes the rows. So a process that repeatedly finds
 * nothing waits, at most 80 ms, and leaves the rows to those that find some.
 */
export class SignalledLooks {
  readonly #look: () => Promise<boolean>;
  readonly #closing = new AbortController();
  #requested = false;
  #emptyLooks = 0;
  #notBefore = -Infinity;
  #running: Promise<void> | undefined;

  /** @param look returns whether it found rows; never throws */
  constructor(look: () => Promise<boolean>) {
    this.#look = look;
  }

  /** Notes a signal; returns at once. */
  signal(): void {
    if (this.#closing.signal.aborted) return;
    this.#requested = true;
    this.#running ??= this.#run();
  }

  /** Ends pauses, accepts no more signals and waits for the running look. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#requested && (await this.#mayLook())) {
      this.#requested = false;
      this.#emptyLooks = (await this.#look()) ? 0 : this.#emptyLooks + 1;
      this.#notBefore = performance.now() + lookPauseMs(this.#emptyLooks);
    }
    this.#running = undefined;
  }

  /** Ends the pause. @returns false when it is closed */
  async #mayLook(): Promise<boolean> {
    const { signal } = this.#closing;
    const waitMs = this.#notBefore - performance.now();
    if (waitMs > 0) await pause(waitMs, undefined, { signal }).catch(() => undefined);
    return !signal.aborted;
  }
}
