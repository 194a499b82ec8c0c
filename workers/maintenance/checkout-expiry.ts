import {
  expireCheckouts,
  hasExpirableCheckouts,
} from '../../src/domain/checkout/expire-checkouts.js';
import type { Read, Transact } from '../../src/domain/tx.js';
import { jittered, delayUnlessStopped } from '../process/jitter.js';

export interface CheckoutExpiryOptions {
  readonly read: Read;
  readonly transact: Transact;
  /** Called with the number of checkouts that expired. */
  readonly onExpired: (checkouts: number) => void;
  readonly onError: (error: unknown) => void;
}

const everyMs = 1_000;

/**
 * Expires open checkouts that are past their time: after a wake-up, and about once a second by its own
 * timer, so that a lost wake-up keeps no checkout open.
 */
export class CheckoutExpiry {
  readonly #options: CheckoutExpiryOptions;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #polling: Promise<void> | undefined;

  constructor(options: CheckoutExpiryOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  /** Expires all checkouts past their time; a call during another one joins it. */
  poll(): Promise<void> {
    this.#polling ??= this.#poll().finally(() => (this.#polling = undefined));
    return this.#polling;
  }

  /** Stops the timer and waits for the running batch. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([this.#running, this.#polling]);
  }

  async #run(): Promise<void> {
    while (await delayUnlessStopped(jittered(everyMs), this.#stopping.signal)) await this.poll();
  }

  async #poll(): Promise<void> {
    const { read, transact, onExpired, onError } = this.#options;
    try {
      for (let more = await hasExpirableCheckouts(read); more && !this.#stopping.signal.aborted;) {
        const expired = await transact(expireCheckouts);
        if (expired > 0) onExpired(expired);
        more = expired > 0;
      }
    } catch (error) {
      onError(error);
    }
  }
}
