import { type Transact, SemaphoreRejected } from '../domain/tx.js';

/** How many may work and wait, and for how long. */
export interface SemaphoreOptions {
  /** Transactions of one turn that run at once. */
  readonly maxConcurrent: number;
  /** Transactions of one turn that wait; one more is refused at once. */
  readonly waiting: number;
  /** How long one waits before it is refused, in milliseconds. */
  readonly maxWaitMs: number;
}

interface KeyQueue {
  running: number;
  /** In the order they came. */
  readonly waiting: Set<Waiter>;
}

interface Waiter {
  readonly admit: () => void;
}

/**
 * Turns by name, first come first served, in the memory of this process: what would queue for the
 * same rows queues here, where it holds no connection.
 */
export class KeyedSemaphore {
  readonly #options: SemaphoreOptions;
  readonly #queues = new Map<string, KeyQueue>();
  #waiting = 0;

  constructor(options: SemaphoreOptions) {
    this.#options = options;
  }

  /** How many wait at this moment, in all lines. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Waits until it is one's turn.
   * @returns ends the turn; to be called once
   * @throws TurnRefused when too many wait already, or the wait was too long
   */
  async acquire(name: string): Promise<() => void> {
    const queue = this.#queues.get(name) ?? { running: 0, waiting: new Set() };
    this.#queues.set(name, queue);
    if (queue.running < this.#options.maxConcurrent) queue.running += 1;
    else await this.#enqueue(queue);
    return () => {
      const [next] = queue.waiting;
      // Handed over, so that nobody who comes now is served before those who wait.
      if (next) next.admit();
      else queue.running -= 1;
      if (queue.running === 0) this.#queues.delete(name);
    };
  }

  #enqueue(queue: KeyQueue): Promise<void> {
    const { waiting, maxWaitMs } = this.#options;
    if (queue.waiting.size >= waiting)
      throw new SemaphoreRejected('Too many changes wait for a slot of this account.');
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
          new SemaphoreRejected(
            `Timed out after ${maxWaitMs} ms waiting for a slot of this account.`,
          ),
        );
      }, maxWaitMs);
      queue.waiting.add(waiter);
      this.#waiting += 1;
    });
  }
}

/** A {@link Transact} that waits for the turn it is told of before it takes a connection. */
export function withSemaphore(transact: Transact, semaphore: KeyedSemaphore): Transact {
  return async (work, options) => {
    if (options?.semaphoreKey === undefined) return transact(work, options);
    const end = await semaphore.acquire(options.semaphoreKey);
    try {
      return await transact(work, options);
    } finally {
      end();
    }
  };
}
