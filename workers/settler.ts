import type { EndedAttempt } from '../src/domain/delivery/attempt.js';
import type { SettleResult } from '../src/domain/delivery/settle.js';
import { type Clock, pause, processClock } from './clock.js';

/** What a {@link Settler} needs to know. */
export interface SettlerOptions {
  /** Records all of them in one transaction. */
  readonly settle: (ended: readonly EndedAttempt[]) => Promise<SettleResult>;
  /** Whether the same transaction may succeed a moment later; if not, one of its rows is at fault. */
  readonly mayRecover: (error: unknown) => boolean;
  readonly onSettled: (ended: readonly EndedAttempt[], result: SettleResult) => void;
  /** A transaction failed and is tried again. */
  readonly onError: (error: unknown, attempts: number) => void;
  /** Not recorded before the leases ended: the chains are sent again. */
  readonly onDropped: (ended: readonly EndedAttempt[]) => void;
  /** That of the process unless it is said. */
  readonly clock?: Clock;
}

interface Unsettled {
  readonly ended: EndedAttempt;
  readonly until: number;
}

const gatherMs = 5;
const batchSize = 200;
const batchesAtOnce = 2;
const firstPauseMs = 50;
const longestPauseMs = 1_000;
const closeLimitMs = 5_000;

/**
 * Gathers ended attempts for a few milliseconds and settles them in one transaction. A failed
 * transaction is repeated until the leases end; a batch with a row that PostgreSQL refuses is
 * halved until that row is alone. No attempt leaves without being settled or reported as dropped.
 */
export class Settler {
  readonly #options: SettlerOptions;
  readonly #clock: Clock;
  readonly #running = new Set<Promise<void>>();
  #pending: Unsettled[] = [];
  #backlog = 0;
  #callOffFlush: (() => void) | undefined;
  #closeBy = Infinity;

  constructor(options: SettlerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? processClock;
  }

  /** Attempts that have ended and are not settled yet. */
  get backlog(): number {
    return this.#backlog;
  }

  /** @param until when the claim's lease ends, as the clock counts */
  add(ended: EndedAttempt, until: number): void {
    this.#pending.push({ ended, until });
    this.#backlog += 1;
    this.#schedule();
  }

  /** Settles everything that was added, or drops it after 5 seconds. */
  async close(): Promise<void> {
    this.#closeBy = this.#clock.now() + closeLimitMs;
    while (this.#backlog > 0) {
      this.#flush();
      await Promise.race(this.#running);
    }
  }

  #schedule(): void {
    if (this.#running.size >= batchesAtOnce || this.#pending.length === 0) return;
    if (this.#pending.length >= batchSize) this.#flush();
    else this.#callOffFlush ??= this.#clock.after(gatherMs, () => this.#flush());
  }

  #flush(): void {
    this.#callOffFlush?.();
    this.#callOffFlush = undefined;
    const batch = this.#pending.splice(0, batchSize);
    if (batch.length === 0) return;
    const run = this.#settle(batch).finally(() => {
      this.#backlog -= batch.length;
      this.#running.delete(run);
      this.#schedule();
    });
    this.#running.add(run);
  }

  async #settle(batch: readonly Unsettled[]): Promise<void> {
    const { settle, mayRecover, onSettled, onError } = this.#options;
    let rest = batch;
    for (let wait = firstPauseMs; ; wait = Math.min(wait * 2, longestPauseMs)) {
      rest = this.#dropLate(rest);
      if (rest.length === 0) return;
      const ended = rest.map((each) => each.ended);
      try {
        onSettled(ended, await settle(ended));
        return;
      } catch (error) {
        onError(error, ended.length);
        if (ended.length > 1 && !mayRecover(error)) {
          const middle = Math.ceil(rest.length / 2);
          await Promise.all([
            this.#settle(rest.slice(0, middle)),
            this.#settle(rest.slice(middle)),
          ]);
          return;
        }
      }
      await pause(this.#clock, wait);
    }
  }

  #dropLate(batch: readonly Unsettled[]): readonly Unsettled[] {
    const now = this.#clock.now();
    const isLate = ({ until }: Unsettled) => now >= Math.min(until, this.#closeBy);
    const late = batch.filter(isLate);
    if (late.length > 0) this.#options.onDropped(late.map(({ ended }) => ended));
    return late.length > 0 ? batch.filter((each) => !late.includes(each)) : batch;
  }
}
