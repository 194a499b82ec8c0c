import { DomainError } from '../errors.js';

interface ReplayWaitersOptions<Result> {
  /**
   * Reads in one statement which of these replays have a record of their first attempt, or ended
   * without one.
   */
  readonly findEnded: (
    pendingDeliveryIds: readonly string[],
  ) => Promise<ReadonlyMap<string, Result>>;
  /** One caller waits at most this long, in milliseconds. */
  readonly limitMs: number;
  /** Called when a poll fails. Callers continue to wait. */
  readonly onError: (error: unknown) => void;
}

interface Waiter<Result> {
  readonly resolve: (results: Result) => void;
  readonly reject: (error: Error) => void;
  readonly deadline: NodeJS.Timeout;
}

const pollEveryMs = 1_000;

/**
 * Callers that wait until a worker has recorded the first attempt of their replay. They hold no
 * connection. One statement polls for all of them, on each notification and once a second. A lost
 * notification costs at most a second.
 */
export class ReplayWaiters<Result> {
  readonly #options: ReplayWaitersOptions<Result>;
  readonly #waiting = new Map<string, Set<Waiter<Result>>>();
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | undefined;
  #pollAgain = false;
  #closed = false;

  constructor(options: ReplayWaitersOptions<Result>) {
    this.#options = options;
  }

  /**
   * Waits for one pending delivery.
   * @throws DomainError replay_unsettled when the time is over or the waiters are closed
   */
  wait(pendingDeliveryId: string): Promise<Result> {
    if (this.#closed) return Promise.reject(notRecordedYet());

    return new Promise((resolve, reject) => {
      const waiters = this.#waiting.get(pendingDeliveryId) ?? new Set();
      const waiter: Waiter<Result> = {
        resolve,
        reject,
        deadline: setTimeout(
          () => void this.#timeOut(pendingDeliveryId, waiter),
          this.#options.limitMs,
        ),
      };
      this.#waiting.set(pendingDeliveryId, waiters.add(waiter));
      this.#timer ??= setInterval(() => this.signal(), pollEveryMs).unref();
      this.signal();
    });
  }

  /** Polls now, because a replay may have a result. */
  signal(): void {
    if (this.#waiting.size === 0) return;
    if (this.#polling) this.#pollAgain = true;
    else void this.#findEnded();
  }

  /** Rejects all callers, present and future. */
  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    for (const [pendingDeliveryId, waiters] of this.#waiting) {
      for (const waiter of waiters)
        this.#release(pendingDeliveryId, waiter).reject(notRecordedYet());
    }
  }

  #findEnded(): Promise<void> {
    this.#pollAgain = false;
    this.#polling = this.#options
      .findEnded([...this.#waiting.keys()])
      .then((results) => this.#answer(results), this.#options.onError)
      .finally(() => {
        this.#polling = undefined;
        if (this.#pollAgain) this.signal();
      });
    return this.#polling;
  }

  #answer(results: ReadonlyMap<string, Result>): void {
    for (const [pendingDeliveryId, result] of results) {
      for (const waiter of this.#waiting.get(pendingDeliveryId) ?? []) {
        this.#release(pendingDeliveryId, waiter).resolve(result);
      }
    }
  }

  async #timeOut(pendingDeliveryId: string, waiter: Waiter<Result>): Promise<void> {
    // The poll in flight may have begun before the result was recorded. The next one has not.
    await this.#polling;
    await (this.#polling ?? this.#findEnded());
    if (this.#waiting.get(pendingDeliveryId)?.has(waiter))
      this.#release(pendingDeliveryId, waiter).reject(notRecordedYet());
  }

  #release(pendingDeliveryId: string, waiter: Waiter<Result>): Waiter<Result> {
    clearTimeout(waiter.deadline);
    const waiters = this.#waiting.get(pendingDeliveryId);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.#waiting.delete(pendingDeliveryId);
    if (this.#waiting.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    return waiter;
  }
}

function notRecordedYet(): DomainError {
  return new DomainError(
    'replay_unsettled',
    'The replay was accepted but its first attempt has not ended yet. Repeat the request with the same Idempotency-Key.',
    undefined,
    5,
  );
}
