// Cancels the pending deliveries that changes of endpoints leave behind.
//
// A change cancels only so much in its own transaction; the rest is its endpoint's cancellation backlog, which
// is worked off here in windows, one endpoint after another. Attempts that end while their endpoint is being
// changed leave stale pending deliveries, which a slower walk finds. An advisory lock lets one process at a
// time cancel. A crash loses only the position in a backlog: the next process reads it from its start.
import {
  cancelFromBacklog,
  cancelStale,
  nextPendingCancellation,
  type PendingCancellation,
  type StaleCancellations,
} from '../src/domain/delivery/cancel.js';
import { Lru } from '../src/domain/lru.js';
import { LockNotAvailable, type Read, type Transact } from '../src/domain/transaction/tx.js';
import { type Clock, processClock } from './clock.js';

/** Advisory lock: one process at a time cancels. */
const lock = 5_418_127_730_063n;

const defaultBudgetMs = 500;
const pollsBetweenStale = 5;
/** Endpoints whose progress is remembered, at most. For others, a window begins with rows that were already read. */
const maxEntries = 1_000;

/** How far the pending deliveries of an endpoint have been scanned. */
interface Progress {
  readonly since: Date;
  readonly eventId: string;
}

/** The statements and transactions of {@link Cancellations}. */
interface CancellationStore {
  /** See `nextPendingCancellation`. */
  readonly next: (after: string) => Promise<PendingCancellation | undefined>;
  /** See `cancelFromBacklog`. @throws LockNotAvailable while another process cancels */
  readonly cancelFromBacklog: (
    pendingCancellation: PendingCancellation,
    after: string,
  ) => ReturnType<typeof cancelFromBacklog>;
  /** See `cancelStale`. @throws LockNotAvailable while another process cancels */
  readonly cancelStale: (after: string) => Promise<StaleCancellations>;
}

interface CancellationsOptions {
  readonly store: CancellationStore;
  /** Milliseconds after which a poll starts no further step of the backlog. Defaults to 500. */
  readonly budgetMs?: number;
  /** Defaults to the process clock. */
  readonly clock?: Clock;
}

/** The statements of {@link CancellationStore} on PostgreSQL. */
export function cancellationStore({
  read,
  transact,
}: {
  readonly read: Read;
  readonly transact: Transact;
}): CancellationStore {
  return {
    next: (after) => nextPendingCancellation(read, after),
    cancelFromBacklog: (pendingCancellation, after) =>
      transact((tx) => cancelFromBacklog(tx, pendingCancellation, after), { lock }),
    cancelStale: (after) => transact((tx) => cancelStale(tx, after), { lock }),
  };
}

/**
 * Cancels a thousand pending deliveries of each endpoint with a cancellation backlog in turn, and now and then
 * those that have become stale.
 */
export class Cancellations {
  readonly #options: CancellationsOptions;
  readonly #progress = new Lru<Progress>(maxEntries);
  #lastEndpointId = '';
  #staleAfter = '';
  #polls = 0;

  constructor(options: CancellationsOptions) {
    this.#options = options;
  }

  /**
   * Cancels from the backlog until it is empty or the time is over; every few polls, stale pending
   * deliveries too. Stops when another process cancels.
   * @param backlog whether there may be a backlog
   * @returns the number of pending deliveries cancelled
   */
  async poll(backlog = true): Promise<number> {
    const { store, clock = processClock, budgetMs = defaultBudgetMs } = this.#options;
    const end = clock.now() + budgetMs;
    const staleDue = this.#staleAfter !== '' || this.#polls % pollsBetweenStale === 0;

    this.#polls += 1;

    let cancelled = 0;
    try {
      while (backlog) {
        const pendingCancellation = await store.next(this.#lastEndpointId);
        if (!pendingCancellation) break;
        cancelled += await this.#step(pendingCancellation);
        if (clock.now() >= end) break;
      }

      if (staleDue) {
        const stale = await store.cancelStale(this.#staleAfter);
        this.#staleAfter = stale.next;
        cancelled += stale.cancelled;
      }
    } catch (error) {
      if (!(error instanceof LockNotAvailable)) throw error;
    }

    return cancelled;
  }

  async #step(pendingCancellation: PendingCancellation): Promise<number> {
    const { endpointId, since } = pendingCancellation;
    const position = this.#progress.get(endpointId);
    const after = position?.since.getTime() === since.getTime() ? position.eventId : '';
    const { cancelled, next } = await this.#options.store.cancelFromBacklog(
      pendingCancellation,
      after,
    );
    this.#lastEndpointId = endpointId;
    if (next === undefined) this.#progress.delete(endpointId);
    else this.#progress.set(endpointId, { since, eventId: next });
    return cancelled;
  }
}
