// Who may use the connections of a process: at most two changes of an account at a time, and a quota of the pool
// for each kind of work. Transactions that would queue for the same rows wait here, where they hold no connection.
import { type Transact, SemaphoreRejected, type Read } from '../domain/transaction/tx.js';
import { isConflict } from '../domain/transaction/unavailable.js';
import type { AcquireConnection } from './database.js';

/** Limits of a {@link KeyedSemaphore}, for each key. */
interface SemaphoreOptions {
  /** At most this many holders of one key at a time. */
  readonly maxConcurrent: number;
  /** At most this many waiters for one key; the next is rejected at once. */
  readonly waiting: number;
  /** A waiter is rejected after this time, in milliseconds. */
  readonly maxWaitMs: number;
}

interface KeyQueue {
  running: number;
  /** First in, first out. */
  readonly waiting: Set<Waiter>;
}

interface Waiter {
  readonly admit: () => void;
}

/** Limits how many holders each key has, first come, first served, in the memory of this process. */
export class KeyedSemaphore {
  readonly #options: SemaphoreOptions;
  readonly #queues = new Map<string, KeyQueue>();
  #waiting = 0;

  constructor(options: SemaphoreOptions) {
    this.#options = options;
  }

  /** How many wait now, over all keys. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Waits for a slot of this key.
   * @returns releases the slot; call it once
   * @throws SemaphoreRejected when too many wait already, or when the wait is too long
   */
  async acquire(key: string): Promise<() => void> {
    const queue = this.#queues.get(key) ?? { running: 0, waiting: new Set() };
    this.#queues.set(key, queue);
    if (queue.running < this.#options.maxConcurrent) queue.running += 1;
    else await this.#enqueue(queue, key);
    return () => {
      const [next] = queue.waiting;
      // Hands the slot over, so that a newcomer does not overtake those who wait.
      if (next) next.admit();
      else queue.running -= 1;
      if (queue.running === 0) this.#queues.delete(key);
    };
  }

  #enqueue(queue: KeyQueue, key: string): Promise<void> {
    const { waiting, maxWaitMs } = this.#options;
    if (queue.waiting.size >= waiting)
      throw new SemaphoreRejected(
        `Too many requests wait for a slot of ${key}: at most ${waiting}.`,
      );

    return new Promise((resolve, reject) => {
      const removeWaiter = () => {
        clearTimeout(timer);
        queue.waiting.delete(waiter);
        this.#waiting -= 1;
      };

      const waiter: Waiter = {
        admit() {
          removeWaiter();
          resolve();
        },
      };

      const timer = setTimeout(() => {
        removeWaiter();
        reject(
          new SemaphoreRejected(`Timed out after ${maxWaitMs} ms waiting for a slot of ${key}.`),
        );
      }, maxWaitMs);

      queue.waiting.add(waiter);
      this.#waiting += 1;
    });
  }
}

/**
 * Returns a {@link Transact} that waits for a slot of its `semaphoreKey` before it takes a
 * connection.
 */
export function withSemaphore(transact: Transact, semaphore: KeyedSemaphore): Transact {
  return async (work, options) => {
    if (options?.semaphoreKey === undefined) return transact(work, options);
    const release = await semaphore.acquire(options.semaphoreKey);
    try {
      return await transact(work, options);
    } finally {
      release();
    }
  };
}

/** Limits for each account or page. */
const maxConcurrentChanges = 2;
const maxWaitingChanges = 250;
const maxChangeWaitMs = 5_000;

/**
 * Limits the changes of each account or page at a time, so that none waits behind the queue of another.
 * @param pool connections of this process; one account or page never takes all
 */
export function createChangeSemaphore(pool: number): KeyedSemaphore {
  const maxConcurrent = Math.max(1, Math.min(maxConcurrentChanges, pool - 1));
  return new KeyedSemaphore({
    maxConcurrent,
    waiting: maxWaitingChanges,
    maxWaitMs: maxChangeWaitMs,
  });
}

/** What {@link connectionQuota} divides. */
interface SharedPool {
  /** Connections of the whole pool. */
  readonly pool: number;
  readonly database: {
    bulkhead(acquire: AcquireConnection): { readonly read: Read; readonly transact: Transact };
  };
  /** Limits the changes of each account, across all quotas. */
  readonly semaphore: KeyedSemaphore;
}

/** At most this many of one user's requests wait for a connection. */
const maxWaitingRequests = 1_000;
const maxConnectionWaitMs = 5_000;

/**
 * Limits one user of the pool to a fraction of its connections, at least one. Beyond that, at most
 * 1,000 requests wait, for at most 5,000 ms. Others are rejected.
 */
export function connectionQuota(
  { pool, database, semaphore }: SharedPool,
  fraction: number,
): { readonly read: Read; readonly transact: Transact } {
  const maxConcurrent = Math.max(1, Math.floor(pool * fraction));
  const slots = new KeyedSemaphore({
    maxConcurrent,
    waiting: maxWaitingRequests,
    maxWaitMs: maxConnectionWaitMs,
  });
  const { read, transact } = database.bulkhead(() => slots.acquire('connection'));
  return { read, transact: withSemaphore(retryConflicts(transact), semaphore) };
}

const tries = 3;

/**
 * Returns a {@link Transact} that retries after a serialization failure or a deadlock, at most
 * three tries in all. The work must have no effect outside the transaction.
 */
function retryConflicts(transact: Transact): Transact {
  return async (work, options) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await transact(work, options);
      } catch (error) {
        if (attempt === tries || !isConflict(error)) throw error;
      }
    }
  };
}
