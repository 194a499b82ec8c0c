import { type CancelPlace, cancelOwed, owesCancellations } from '../src/domain/delivery/cancel.js';
import { LockTaken, type Read, type Transact } from '../src/domain/tx.js';

// Any constant: one process at a time pays.
const lock = 5_418_127_730_063n;

/** So long a round of the sweep may be held up. */
const budgetMs = 500;

/** Pays the cancellations that changes of endpoints with long backlogs owe, a thousand at a time. */
export class OwedCancellations {
  readonly #read: Read;
  readonly #transact: Transact;
  #place: CancelPlace | undefined;

  constructor(read: Read, transact: Transact) {
    this.#read = read;
    this.#transact = transact;
  }

  /**
   * Cancels until nothing is owed, another process is paying, or half a second is over.
   * @returns how many chains were cancelled
   */
  async pay(): Promise<number> {
    const end = performance.now() + budgetMs;
    let cancelled = 0;
    try {
      while (performance.now() < end && (await owesCancellations(this.#read))) {
        const paid = await this.#transact((tx) => cancelOwed(tx, this.#place), { lock });
        this.#place = paid.place;
        cancelled += paid.cancelled;
      }
    } catch (error) {
      if (!(error instanceof LockTaken)) throw error;
    }
    return cancelled;
  }
}
