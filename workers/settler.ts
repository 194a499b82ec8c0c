import type { EndedAttempt } from '../src/domain/delivery/attempt.js';
import type { SettleResult } from '../src/domain/delivery/settle.js';
import { type Clock, pause, processClock } from './clock.js';
import { RecordingHealth } from './recording-health.js';

/** What a {@link Settler} needs to know. */
export interface SettlerOptions {
  /** Records all of them in one transaction. */
  readonly settle: (ended: readonly EndedAttempt[]) => Promise<SettleResult>;
  /** Whether the same transaction may succeed a moment later; if not, one of its rows is at fault. */
  readonly mayRecover: (error: unknown) => boolean;
  readonly onSettled: (ended: readonly EndedAttempt[], result: SettleResult) => void;
  /** A transaction failed and is tried again. */
  readonly onError: (error: unknown, attempts: number) => void;
  /** PostgreSQL refused these rows until their leases ended, or the process ends: they are sent again. */
  readonly onDropped: (ended: readonly EndedAttempt[]) => void;
  /** Defaults to the clock of the process. */
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

/** Attempts that may wait to be recorded before claims wait: a few batches. */
const mostUnsettled = 4 * batchSize;
/** What may wait for the probe, while recording fails or lags: enough to see whether it goes on. */
const mostProbing = 10;

/**
 * Gathers ended attempts for a few milliseconds and settles them in one transaction. A failed
 * transaction is repeated until it succeeds, however long that takes; a batch with a row that
 * PostgreSQL refuses is halved until that row is alone. That row is dropped when its lease ends, if
 * others were recorded meanwhile.
 * No attempt leaves without being settled or reported as dropped.
 */
export class Settler {
  readonly #options: SettlerOptions;
  readonly #clock: Clock;
  readonly #health: RecordingHealth;
  readonly #running = new Set<Promise<void>>();
  /** Rows that PostgreSQL refuses, each retried by itself. */
  readonly #insisting = new Set<Promise<void>>();
  readonly #refused = new Set<Unsettled>();
  readonly #unsettled = new Set<Unsettled>();
  #pending: Unsettled[] = [];
  #callOffFlush: (() => void) | undefined;
  #closeBy = Infinity;

  constructor(options: SettlerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? processClock;
    this.#health = new RecordingHealth(this.#clock);
  }

  /** Attempts that have ended and are not settled yet. */
  get backlog(): number {
    return this.#unsettled.size;
  }

  /**
   * How many attempts may be claimed on top of those that wait to be recorded: none or fewer while
   * a few batches wait; while recording fails or lags, a few until the probe has its batch.
   */
  get allowance(): number {
    if (!this.#health.isStalled(this.#waits)) return mostUnsettled - this.backlog;
    return this.#running.size < batchesAtOnce ? mostProbing - this.#pending.length : 0;
  }

  /** The tokens of what is to be recorded, as long as it takes. */
  *tokens(): Iterable<number> {
    for (const each of this.#unsettled) {
      if (!this.#refused.has(each) || !this.#health.blamesRows) yield each.ended.claim.token;
    }
  }

  /** @param until when the claim's lease ends unless it is extended, as the clock counts */
  add(ended: EndedAttempt, until: number): void {
    const each = { ended, until };
    if (!this.#waits) this.#health.began();
    this.#pending.push(each);
    this.#unsettled.add(each);
    this.#schedule();
  }

  /** Settles everything that was added, or drops it after 5 seconds. */
  async close(): Promise<void> {
    this.#closeBy = this.#clock.now() + closeLimitMs;
    while (this.backlog > 0) {
      this.#flush();
      await Promise.race([...this.#running, ...this.#insisting]);
    }
  }

  /** Whether anything waits that PostgreSQL has not refused. */
  get #waits(): boolean {
    return this.#unsettled.size > this.#refused.size;
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
      this.#running.delete(run);
      this.#schedule();
    });
    this.#running.add(run);
  }

  async #settle(batch: readonly Unsettled[]): Promise<void> {
    let rows = batch;
    let wait = firstPauseMs;
    for (; this.#clock.now() < this.#closeBy; wait = Math.min(wait * 2, longestPauseMs)) {
      const tried = await this.#try(rows);
      if (tried === 'recorded') return;
      if (tried === 'refused' && !this.#health.refusesAll) {
        await this.#divide(rows);
        return;
      }
      if (tried === 'refused' && rows.length > 1) {
        // One row at fault must not make PostgreSQL seem to refuse all of them.
        const [first, rest] = [rows.slice(0, 1), rows.slice(1)];
        rows = (await this.#try(first)) === 'recorded' ? rest : [...rest, ...first];
      }
      await pause(this.#clock, wait);
    }
    this.#drop(rows);
  }

  /** Finds the row at fault, and lets the others go on without it. */
  async #divide(batch: readonly Unsettled[]): Promise<void> {
    const middle = Math.ceil(batch.length / 2);
    const halves = [batch.slice(0, middle), batch.slice(middle)];
    const [row] = batch;
    if (!row || batch.length > 1) {
      await Promise.all(halves.map((half) => this.#settle(half)));
      return;
    }
    this.#refused.add(row);
    this.#health.refused();
    const insisting = this.#insist(row).finally(() => this.#insisting.delete(insisting));
    this.#insisting.add(insisting);
  }

  /** Outside of the batches, because rows at fault would hold up all others. */
  async #insist(row: Unsettled): Promise<void> {
    while (this.#unsettled.has(row)) {
      await pause(this.#clock, longestPauseMs);
      const tried = await this.#try([row]);
      const isLate = this.#clock.now() >= row.until && this.#health.blamesRows;
      if (tried === 'refused' && isLate) this.#drop([row]);
      else if (tried !== 'recorded' && this.#clock.now() >= this.#closeBy) this.#drop([row]);
    }
  }

  async #try(batch: readonly Unsettled[]): Promise<'recorded' | 'failed' | 'refused'> {
    const { settle, mayRecover, onSettled, onError } = this.#options;
    const ended = batch.map((each) => each.ended);
    try {
      const result = await settle(ended);
      this.#health.recorded();
      this.#forget(batch);
      onSettled(ended, result);
      return 'recorded';
    } catch (error) {
      onError(error, ended.length);
      if (!mayRecover(error)) return 'refused';
      this.#health.failed();
      return 'failed';
    }
  }

  #drop(batch: readonly Unsettled[]): void {
    this.#forget(batch);
    this.#options.onDropped(batch.map(({ ended }) => ended));
  }

  #forget(batch: readonly Unsettled[]): void {
    for (const each of batch) {
      this.#unsettled.delete(each);
      this.#refused.delete(each);
    }
  }
}
