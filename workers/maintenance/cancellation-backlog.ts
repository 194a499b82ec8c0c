import {
  cancelFromBacklog,
  nextPendingCancellation,
  type PendingCancellation,
} from '../../src/domain/delivery/cancellation-backlog.js';
import { LockNotAvailable, type Read, type Transact } from '../../src/domain/tx.js';
import { type Clock, processClock } from '../process/clock.js';

// Any constant: one process at a time pays.
const lock = 5_418_127_730_063n;

/** So long a round of the poller may be held up. */
const defaultBudgetMs = 500;
/** Endpoints whose places are remembered; of others pending deliveries that stay are read again. */
const maxEntries = 1_000;

/** How far the pending deliveries of an endpoint have been looked through. */
interface Progress {
  readonly since: Date;
  readonly eventId: string;
}

/** What {@link CancellationBacklog} works with. */
export interface CancellationBacklogOptions {
  /** See `nextPendingCancellation`. */
  readonly next: (after: string) => Promise<PendingCancellation | undefined>;
  /** See `cancelFromBacklog`. @throws LockTaken while another process pays */
  readonly cancel: (
    pendingCancellation: PendingCancellation,
    after: string,
  ) => ReturnType<typeof cancelFromBacklog>;
  /** So long a call may take, and the step under way; default half a second. */
  readonly budgetMs?: number;
  /** That of the process unless it is said. */
  readonly clock?: Clock;
}

/** What is owed in PostgreSQL; one process at a time pays. */
export function cancellationBacklogIn({
  read,
  transact,
}: {
  readonly read: Read;
  readonly transact: Transact;
}): CancellationBacklogOptions {
  return {
    next: (after) => nextPendingCancellation(read, after),
    cancel: (pendingCancellation, after) =>
      transact((tx) => cancelFromBacklog(tx, pendingCancellation, after), { lock }),
  };
}

/**
 * Pays the cancellations that changes of endpoints with long backlogs owe, a thousand pending deliveries of each
 * endpoint in turn.
 */
export class CancellationBacklog {
  readonly #options: CancellationBacklogOptions;
  readonly #progress = new Map<string, Progress>();
  #lastEndpointId = '';

  constructor(options: CancellationBacklogOptions) {
    this.#options = options;
  }

  /**
   * Cancels until nothing is owed, another process is paying, or the time is over.
   * @returns how many pending deliveries were cancelled
   */
  async drain(): Promise<number> {
    const { next, clock = processClock, budgetMs = defaultBudgetMs } = this.#options;
    const end = clock.now() + budgetMs;
    let cancelled = 0;
    try {
      do {
        const pendingCancellation = await next(this.#lastEndpointId);
        if (!pendingCancellation) break;
        cancelled += await this.#step(pendingCancellation);
      } while (clock.now() < end);
    } catch (error) {
      if (!(error instanceof LockNotAvailable)) throw error;
    }
    return cancelled;
  }

  async #step(pendingCancellation: PendingCancellation): Promise<number> {
    const { endpointId, since } = pendingCancellation;
    const position = this.#progress.get(endpointId);
    const after = position?.since.getTime() === since.getTime() ? position.eventId : '';
    const { cancelled, next } = await this.#options.cancel(pendingCancellation, after);
    this.#lastEndpointId = endpointId;
    this.#progress.delete(endpointId);
    if (next !== undefined) this.#remember(endpointId, { since, eventId: next });
    return cancelled;
  }

  #remember(endpointId: string, position: Progress): void {
    this.#progress.set(endpointId, position);
    const [oldest] = this.#progress.keys();
    if (this.#progress.size > maxEntries && oldest !== undefined) this.#progress.delete(oldest);
  }
}
