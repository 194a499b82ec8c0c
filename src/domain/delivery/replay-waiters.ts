import { DomainError } from '../errors.js';

/** What {@link ReplayWaiters} needs to know of the world. */
export interface ReplayWaitersOptions<Settled> {
  /** Reads in one statement which of these chains have settled their first attempt, or ended without one. */
  readonly look: (chainIds: readonly string[]) => Promise<ReadonlyMap<string, Settled>>;
  /** How long one caller waits at most (H76.7). */
  readonly limitMs: number;
  /** Told when a look fails; waiting goes on. */
  readonly onError: (error: unknown) => void;
}

interface Waiter<Settled> {
  readonly resolve: (settled: Settled) => void;
  readonly reject: (error: Error) => void;
  readonly deadline: NodeJS.Timeout;
}

const lookEveryMs = 1_000;

/**
 * Callers that wait until a worker has settled the first attempt of their replay (H76.4). They hold
 * no connection: one statement looks for all of them, on a signal and once a second, so a signal
 * that gets lost costs a second and nothing else.
 */
export class ReplayWaiters<Settled> {
  readonly #options: ReplayWaitersOptions<Settled>;
  readonly #waiting = new Map<string, Set<Waiter<Settled>>>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #lookAgain = false;
  #closed = false;

  constructor(options: ReplayWaitersOptions<Settled>) {
    this.#options = options;
  }

  /**
   * Waits for one chain.
   * @throws DomainError replay_unsettled when nothing settled in time
   */
  wait(chainId: string): Promise<Settled> {
    if (this.#closed) return Promise.reject(unsettled());
    return new Promise((resolve, reject) => {
      const waiters = this.#waiting.get(chainId) ?? new Set();
      const waiter: Waiter<Settled> = {
        resolve,
        reject,
        deadline: setTimeout(() => void this.#giveUp(chainId, waiter), this.#options.limitMs),
      };
      this.#waiting.set(chainId, waiters.add(waiter));
      this.#timer ??= setInterval(() => this.signal(), lookEveryMs).unref();
      this.signal();
    });
  }

  /** Something may have settled: look. */
  signal(): void {
    if (this.#waiting.size === 0) return;
    if (this.#looking) this.#lookAgain = true;
    else void this.#look();
  }

  /** Rejects everybody who waits, and who would. */
  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    for (const [chainId, waiters] of this.#waiting) {
      for (const waiter of waiters) this.#release(chainId, waiter).reject(unsettled());
    }
  }

  #look(): Promise<void> {
    this.#lookAgain = false;
    this.#looking = this.#options
      .look([...this.#waiting.keys()])
      .then((settled) => this.#answer(settled), this.#options.onError)
      .finally(() => {
        this.#looking = undefined;
        if (this.#lookAgain) this.signal();
      });
    return this.#looking;
  }

  #answer(settled: ReadonlyMap<string, Settled>): void {
    for (const [chainId, result] of settled) {
      for (const waiter of this.#waiting.get(chainId) ?? []) {
        this.#release(chainId, waiter).resolve(result);
      }
    }
  }

  async #giveUp(chainId: string, waiter: Waiter<Settled>): Promise<void> {
    // The look under way may have begun before the settlement; the one after it did not.
    await this.#looking;
    await (this.#looking ?? this.#look());
    if (this.#waiting.get(chainId)?.has(waiter)) this.#release(chainId, waiter).reject(unsettled());
  }

  #release(chainId: string, waiter: Waiter<Settled>): Waiter<Settled> {
    clearTimeout(waiter.deadline);
    const waiters = this.#waiting.get(chainId);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.#waiting.delete(chainId);
    if (this.#waiting.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    return waiter;
  }
}

function unsettled(): DomainError {
  return new DomainError(
    'replay_unsettled',
    'The replay was accepted but its first attempt has not ended yet. Repeat the request with the same Idempotency-Key.',
    undefined,
    5,
  );
}
