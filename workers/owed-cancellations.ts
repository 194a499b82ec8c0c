import { cancelOwed, nextOwing, type OwingEndpoint } from '../src/domain/delivery/cancel-owed.js';
import { LockTaken, type Read, type Transact } from '../src/domain/tx.js';
import { type Clock, processClock } from './clock.js';

// Any constant: one process at a time pays.
const lock = 5_418_127_730_063n;

/** So long a round of the sweep may be held up. */
const defaultBudgetMs = 500;
/** Endpoints whose places are remembered; of others chains that stay are read again. */
const maxPlaces = 1_000;

/** How far the chains of an endpoint have been looked through. */
interface Place {
  readonly since: Date;
  readonly eventId: string;
}

/** What {@link OwedCancellations} works with. */
export interface OwedCancellationsOptions {
  /** See `nextOwing`. */
  readonly next: (after: string) => Promise<OwingEndpoint | undefined>;
  /** See `cancelOwed`. @throws LockTaken while another process pays */
  readonly cancel: (owing: OwingEndpoint, after: string) => ReturnType<typeof cancelOwed>;
  /** So long a call may take, and the step under way; default half a second. */
  readonly budgetMs?: number;
  /** That of the process unless it is said. */
  readonly clock?: Clock;
}

/** What is owed in PostgreSQL; one process at a time pays. */
export function owedIn({
  read,
  transact,
}: {
  readonly read: Read;
  readonly transact: Transact;
}): OwedCancellationsOptions {
  return {
    next: (after) => nextOwing(read, after),
    cancel: (owing, after) => transact((tx) => cancelOwed(tx, owing, after), { lock }),
  };
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
    const { next, clock = processClock, budgetMs = defaultBudgetMs } = this.#options;
    const end = clock.now() + budgetMs;
    let cancelled = 0;
    try {
      do {
        const owing = await next(this.#last);
        if (!owing) break;
        cancelled += await this.#step(owing);
      } while (clock.now() < end);
    } catch (error) {
      if (!(error instanceof LockTaken)) throw error;
    }
    return cancelled;
  }

  async #step(owing: OwingEndpoint): Promise<number> {
    const { endpointId, since } = owing;
    const place = this.#places.get(endpointId);
    const after = place?.since.getTime() === since.getTime() ? place.eventId : '';
    const { cancelled, next } = await this.#options.cancel(owing, after);
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
