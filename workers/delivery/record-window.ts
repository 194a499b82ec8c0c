import type { EndedAttempt } from '../../src/domain/delivery/rules/attempt.js';
import { isAwaitedReplay } from '../../src/domain/delivery/sql/notify-replays.js';
import type { Clock } from '../process/clock.js';

/** Only its lease waits for most results. A longer window means more duplicates after a crash. */
const windowMs = 10;
/** Live deliveries wait for each commit in PostgreSQL, so recoveries make fewer. */
const recoveredWindowMs = 25;

/** Returns how long to gather more results, in milliseconds: 0 if a client waits for one. */
export function recordWindow(results: readonly { readonly ended: EndedAttempt }[]): number {
  if (results.some(({ ended }) => isAwaitedReplay(ended))) return 0;
  return results.every(({ ended }) => ended.recovered) ? recoveredWindowMs : windowMs;
}

/** A timer that is only ever moved forward. */
export class FlushTimer {
  readonly #clock: Clock;
  readonly #flush: () => void;
  #at = Infinity;
  #cancel: () => void = () => undefined;

  constructor(clock: Clock, flush: () => void) {
    this.#clock = clock;
    this.#flush = flush;
  }

  /** Flushes in `ms` milliseconds, unless it does so earlier. */
  startWithin(ms: number): void {
    const at = this.#clock.now() + ms;
    if (at >= this.#at) return;
    this.#cancel();
    this.#at = at;
    this.#cancel = this.#clock.after(ms, () => this.#flush());
  }

  /** Flushes no more, until it is started again. */
  stop(): void {
    this.#cancel();
    this.#at = Infinity;
  }
}
