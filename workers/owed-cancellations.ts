import { cancelOwed, nextOwing, type OwingEndpoint } from '../src/domain/delivery/cancel-owed.js';
import { LockTaken, type Read, type Transact } from '../src/domain/tx.js';

// Any constant: one process at a time pays.
const lock = 5_418_127_730_063n;

/** So long a round of the sweep may be held up. */
const budgetMs = 500;
/** Endpoints whose places are remembered; of others chains that stay are read again. */
const maxPlaces = 1_000;

/** How far the chains of an endpoint have been looked through. */
interface Place {
  readonly since: Date;
  readonly eventId: string;
}

/** What {@link OwedCancellations} works with. */
export interface OwedCancellationsOptions {
  readonly read: Read;
  readonly transact: Transact;
  /** So long a call may take, and the step under way; default half a second. */
  readonly budgetMs?: number;
}

/**
 * Pays the cancellations that changes of endpoints with long backlogs owe, a thousand chains of each
 * endpoint in turn.
 */
export class OwedCancellations {
  readonly #options: OwedCancellationsOptions;
  readonly #places = new Map<string, Place>();
  #last = '';

  constructor(options: OwedCancellationsOptions) {
    this.#options = options;
  }

  /**
   * Cancels until nothing is owed, another process is paying, or the time is over.
   * @returns how many chains were cancelled
   */
  async pay(): Promise<number> {
    const { read } = this.#options;
    const end = performance.now() + (this.#options.budgetMs ?? budgetMs);
    let cancelled = 0;
    try {
      do {
        const owing = await nextOwing(read, this.#last);
        if (!owing) break;
        cancelled += await this.#step(owing);
      } while (performance.now() < end);
    } catch (error) {
      if (!(error instanceof LockTaken)) throw error;
    }
    return cancelled;
  }

  async #step(owing: OwingEndpoint): Promise<number> {
    const { endpointId, since } = owing;
    const place = this.#places.get(endpointId);
    const after = place?.since.getTime() === since.getTime() ? place.eventId : '';
    const { cancelled, next } = await this.#options.transact((tx) => cancelOwed(tx, owing, after), {
      lock,
    });
    this.#last = endpointId;
    this.#places.delete(endpointId);
    if (next !== undefined) this.#remember(endpointId, { since, eventId: next });
    return cancelled;
  }

  #remember(endpointId: string, place: Place): void {
    this.#places.set(endpointId, place);
    const [oldest] = this.#places.keys();
    if (this.#places.size > maxPlaces && oldest !== undefined) this.#places.delete(oldest);
  }
}
