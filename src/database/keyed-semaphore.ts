import { type Transact, SemaphoreRejected } from '../domain/tx.js';

/** Limits of a {@link KeyedSemaphore}, for each key. */
export interface SemaphoreOptions {
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

/**
 * Limits how many holders each key has, first come, first served, in the memory of this process.
 * Transactions that would queue for the same rows wait here, where they hold no connection.
 */
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
