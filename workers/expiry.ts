import { expireCheckouts } from '../src/domain/checkout/expire-checkouts.js';
import type { Transact } from '../src/domain/tx.js';
import { jittered, passed } from './rounds.js';

/** What {@link Expiry} works with. */
export interface ExpiryOptions {
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
export class Expiry {
  readonly #options: ExpiryOptions;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #looking: Promise<void> | undefined;

  constructor(options: ExpiryOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  /** Notes everything that has expired; whoever asks while it does waits for the same look. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  /** Ends the timer and waits for the batch under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([this.#running, this.#looking]);
  }

  async #run(): Promise<void> {
    while (await passed(jittered(everyMs), this.#stopping.signal)) await this.look();
  }

  async #look(): Promise<void> {
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
