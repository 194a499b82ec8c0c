import { expireCheckouts } from '../../src/domain/checkout/expire-checkouts.js';
import type { Transact } from '../../src/domain/tx.js';
import { jittered, delayUnlessStopped } from '../process/jitter.js';

/** What {@link CheckoutExpiry} works with. */
export interface CheckoutExpiryOptions {
  readonly transact: Transact;
  /** Told how many checkouts were noted as expired. */
  readonly onExpired: (checkouts: number) => void;
  readonly onError: (error: unknown) => void;
}

const everyMs = 1_000;

/**
 * Notices checkouts that expire: when it is woken, and about once a second by a timer of its own, so
 * that no lost wake-up keeps one open.
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

  /** Notes everything that has expired; whoever asks while it does waits for the same look. */
  poll(): Promise<void> {
    this.#polling ??= this.#poll().finally(() => (this.#polling = undefined));
    return this.#polling;
  }

  /** Ends the timer and waits for the batch under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([this.#running, this.#polling]);
  }

  async #run(): Promise<void> {
    while (await delayUnlessStopped(jittered(everyMs), this.#stopping.signal)) await this.poll();
  }

  async #poll(): Promise<void> {
    const { transact, onExpired, onError } = this.#options;
    try {
      for (let more = true; more && !this.#stopping.signal.aborted;) {
        const expired = await transact(expireCheckouts);
        if (expired > 0) onExpired(expired);
        more = expired > 0;
      }
    } catch (error) {
      onError(error);
    }
  }
}
