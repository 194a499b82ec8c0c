import { expireCheckouts, hasExpirableCheckouts } from '../src/domain/checkout/checkouts.js';
import type { Read, Transact } from '../src/domain/transaction/tx.js';

interface CheckoutExpiryOptions {
  readonly read: Read;
  readonly transact: Transact;
  /** Called with the number of checkouts that expired. */
  readonly onExpired: (checkouts: number) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Expires open checkouts that are past their time: after a wake-up, and when the poller finds some, so that
 * a lost wake-up keeps no checkout open.
 */
export class CheckoutExpiry {
  readonly #options: CheckoutExpiryOptions;
  #stopping = false;
  #polling: Promise<void> | undefined;

  constructor(options: CheckoutExpiryOptions) {
    this.#options = options;
  }

  /** Expires all checkouts past their time; a call during another one joins it. */
  poll(): Promise<void> {
    if (this.#stopping) return Promise.resolve();
    this.#polling ??= this.#poll().finally(() => (this.#polling = undefined));
    return this.#polling;
  }

  /** Waits for the running batch. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#polling;
  }

  async #poll(): Promise<void> {
    const { read, transact, onExpired, onError } = this.#options;
    try {
      for (let more = await hasExpirableCheckouts(read); more && !this.#stopping;) {
        const expired = await transact(expireCheckouts);
        if (expired > 0) onExpired(expired);
        more = expired > 0;
      }
    } catch (error) {
      onError(error);
    }
  }
}
