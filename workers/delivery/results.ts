// Records ended attempts in batches.
//
// Results gather for 25 ms, because their slots are free already; a result that a client or the next delivery of a
// subject waits for is recorded at once. A failed transaction is repeated until it succeeds, however long that takes. A row that PostgreSQL
// rejects is found by halving its batch, and dropped when its lease ends, if other rows were recorded
// meanwhile. While recording stalls, claims are limited to a probe of ten.
//
// Invariant: every attempt is recorded, or reported as dropped. A crash loses results that are not recorded:
// their deliveries are sent again when their leases end.
import type { EndedAttempt } from '../../src/domain/delivery/attempt.js';
import { isAwaitedReplay } from '../../src/domain/delivery/replay.js';
import type { RecordResult } from '../../src/domain/delivery/recording.js';
import { isUnavailable } from '../../src/domain/transaction/unavailable.js';
import { type Clock, delay, processClock } from '../clock.js';

export interface ResultWriterOptions {
  /** Records all of `ended` in one transaction. */
  readonly recordResults: (ended: readonly EndedAttempt[]) => Promise<RecordResult>;
  /** Called with a batch after its transaction has committed. */
  readonly onRecorded: (ended: readonly EndedAttempt[], result: RecordResult) => void;
  /** Called when a transaction failed; the result writer retries it. */
  readonly onError: (error: unknown, attempts: number) => void;
  /** Called with attempts given up at the end of their leases or at a stop; workers send them again. */
  readonly onDropped: (ended: readonly EndedAttempt[]) => void;
  /** Defaults to the process clock. */
  readonly clock?: Clock;
}

interface UnrecordedAttempt {
  readonly ended: EndedAttempt;
  /** When its lease ends unless extended, in milliseconds of the clock. */
  readonly until: number;
}

/** Results gather for this long. They hold a lease and no slot. A longer window means more duplicates after a crash. */
export const gatherMs = 25;
const batchSize = 200;
const maxConcurrentBatches = 2;
const minBackoffMs = 50;
const maxBackoffMs = 1_000;
const closeTimeoutMs = 5_000;
/** Claims wait while this many attempts, a few batches, wait to be recorded. */
const maxUnrecorded = 4 * batchSize;
/** Attempts of one probe, at most: enough to see whether recording works again after it has stalled. */
const maxProbes = 10;

/** Whether a client, or the next delivery of its subject, waits for the result. */
function isAwaited(ended: EndedAttempt): boolean {
  return ended.claim.subjectKey !== null || isAwaitedReplay(ended);
}

/** Records every ended attempt, or reports it as dropped. */
export class ResultWriter {
  readonly #options: ResultWriterOptions;
  readonly #clock: Clock;
  readonly #health: RecordingHealth;
  readonly #running = new Set<Promise<void>>();
  /** Retries of rows that PostgreSQL rejects, one retry for each row. */
  readonly #retryingRows = new Set<Promise<void>>();
  readonly #rejected = new Set<UnrecordedAttempt>();
  readonly #unrecorded = new Set<UnrecordedAttempt>();
  #pending: UnrecordedAttempt[] = [];
  #isAwaited = false;
  #cancelTimer: (() => void) | undefined;
  #closeDeadline = Infinity;

  constructor(options: ResultWriterOptions) {
    this.#options = options;
    this.#clock = options.clock ?? processClock;
    this.#health = new RecordingHealth(this.#clock);
  }

  /** Attempts that have ended and are not recorded yet. */
  get backlog(): number {
    return this.#unrecorded.size;
  }

  /**
   * Deliveries that may be claimed on top of the attempts that wait to be recorded. Not positive while
   * a few batches wait. While recording stalls, only a few until the probe has its batch.
   */
  get recordingCapacity(): number {
    if (!this.#health.isStalled(this.#hasWaiting)) return maxUnrecorded - this.backlog;
    return this.#running.size < maxConcurrentBatches ? maxProbes - this.#pending.length : 0;
  }

  /** The tokens of attempts to record; their leases must not end meanwhile. */
  *tokens(): Iterable<number> {
    for (const attempt of this.#unrecorded) {
      if (this.#rejected.has(attempt) && this.#health.rejectedRowsAreInvalid) continue;
      yield attempt.ended.claim.token;
    }
  }

  /** Adds an attempt to record. @param until when the claim's lease ends unless extended, in milliseconds of the clock */
  add(ended: EndedAttempt, until: number): void {
    const attempt = { ended, until };
    if (!this.#hasWaiting) this.#health.waitingStarted();
    this.#pending.push(attempt);
    this.#isAwaited ||= isAwaited(ended);
    this.#unrecorded.add(attempt);
    this.#schedule();
  }

  /** Records everything that was added; after 5 seconds it drops the rest. */
  async close(): Promise<void> {
    this.#closeDeadline = this.#clock.now() + closeTimeoutMs;
    while (this.backlog > 0) {
      this.#flush();
      await Promise.race([...this.#running, ...this.#retryingRows]);
    }
  }

  /** Whether an attempt that PostgreSQL has not rejected waits to be recorded. */
  get #hasWaiting(): boolean {
    return this.#unrecorded.size > this.#rejected.size;
  }

  #schedule(): void {
    if (this.#running.size >= maxConcurrentBatches || this.#pending.length === 0) return;
    if (this.#pending.length >= batchSize || this.#isAwaited) this.#flush();
    else this.#cancelTimer ??= this.#clock.after(gatherMs, () => this.#flush());
  }

  #flush(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const batch = this.#pending.splice(0, batchSize);
    this.#isAwaited = this.#pending.some(({ ended }) => isAwaited(ended));
    if (batch.length === 0) return;
    const run = this.#recordResults(batch).finally(() => {
      this.#running.delete(run);
      this.#schedule();
    });
    this.#running.add(run);
  }

  async #recordResults(batch: readonly UnrecordedAttempt[]): Promise<void> {
    let rows = batch;
    let wait = minBackoffMs;
    for (; this.#clock.now() < this.#closeDeadline; wait = Math.min(wait * 2, maxBackoffMs)) {
      const result = await this.#try(rows);
      if (result === 'recorded') return;
      if (result === 'rejected' && !this.#health.rejectsEverything) return this.#bisect(rows);

      if (result === 'rejected' && rows.length > 1) {
        // One invalid row must not look as if PostgreSQL rejected every row.
        const first = rows.slice(0, 1);
        const rest = rows.slice(1);
        rows = (await this.#try(first)) === 'recorded' ? rest : [...rest, ...first];
      }

      await delay(this.#clock, wait);
    }

    this.#drop(rows);
  }

  /** Finds the invalid row, and records the others without it. */
  async #bisect(batch: readonly UnrecordedAttempt[]): Promise<void> {
    const middle = Math.ceil(batch.length / 2);
    const halves = [batch.slice(0, middle), batch.slice(middle)];
    const [row] = batch;
    if (!row || batch.length > 1) {
      await Promise.all(halves.map((half) => this.#recordResults(half)));
      return;
    }
    this.#rejected.add(row);
    this.#health.rejected();
    const retryingRows = this.#retryRow(row).finally(() => this.#retryingRows.delete(retryingRows));
    this.#retryingRows.add(retryingRows);
  }

  /** Retries outside of the batches, because invalid rows would delay all others. */
  async #retryRow(row: UnrecordedAttempt): Promise<void> {
    while (this.#unrecorded.has(row)) {
      await delay(this.#clock, maxBackoffMs);
      const result = await this.#try([row]);
      const isLate = this.#clock.now() >= row.until && this.#health.rejectedRowsAreInvalid;
      if (result === 'rejected' && isLate) this.#drop([row]);
      else if (result !== 'recorded' && this.#clock.now() >= this.#closeDeadline) this.#drop([row]);
    }
  }

  async #try(batch: readonly UnrecordedAttempt[]): Promise<'recorded' | 'failed' | 'rejected'> {
    const { recordResults, onRecorded, onError } = this.#options;
    const ended = batch.map((attempt) => attempt.ended);
    try {
      const result = await recordResults(ended);
      this.#health.recorded();
      this.#remove(batch);
      onRecorded(ended, result);
      return 'recorded';
    } catch (error) {
      onError(error, ended.length);
      // An error that no retry can recover means that PostgreSQL rejects one of the rows.
      if (!isUnavailable(error)) return 'rejected';
      this.#health.failed();
      return 'failed';
    }
  }

  #drop(batch: readonly UnrecordedAttempt[]): void {
    this.#remove(batch);
    this.#options.onDropped(batch.map(({ ended }) => ended));
  }

  #remove(batch: readonly UnrecordedAttempt[]): void {
    for (const attempt of batch) {
      this.#unrecorded.delete(attempt);
      this.#rejected.delete(attempt);
    }
  }
}

/** Recording stalls when nothing was recorded for this long although attempts wait. */
const lagMs = 1_000;
/** After this many rejected rows in a row, the cause is taken to be PostgreSQL and not the rows. */
const maxRejections = 5;

/** Whether PostgreSQL records results; a process claims little while it does not. */
class RecordingHealth {
  readonly #clock: Clock;
  #failing = false;
  #rejectionsInARow = 0;
  /** When an attempt was last recorded, or was the first to wait. */
  #lastProgressAt = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether PostgreSQL rejects every row, instead of invalid ones. */
  get rejectsEverything(): boolean {
    return this.#rejectionsInARow >= maxRejections;
  }

  /** Whether rejected rows are invalid: another transaction has committed since. */
  get rejectedRowsAreInvalid(): boolean {
    return this.#rejectionsInARow === 0;
  }

  /** Whether recording fails or stalls. @param hasWaiting whether an attempt waits to be recorded */
  isStalled(hasWaiting: boolean): boolean {
    if (this.rejectsEverything) return true;
    return hasWaiting && (this.#failing || this.#clock.now() - this.#lastProgressAt > lagMs);
  }

  /** Notes that the first attempt waits to be recorded. */
  waitingStarted(): void {
    this.#lastProgressAt = this.#clock.now();
  }

  /** Notes that a transaction has committed. */
  recorded(): void {
    this.#failing = false;
    this.#rejectionsInARow = 0;
    this.#lastProgressAt = this.#clock.now();
  }

  /** Notes that a transaction failed which may succeed when retried. */
  failed(): void {
    this.#failing = true;
  }

  /** Notes that PostgreSQL rejected a row that was alone in its transaction. */
  rejected(): void {
    this.#rejectionsInARow += 1;
  }
}
