import { DomainError } from '../errors.js';
import { type AbortState, SemaphoreRejected } from '../tx.js';
import { ByteBudget, type ByteLimits } from './byte-budget.js';
import { GroupCommit, type GroupCommitOptions } from './group-commit.js';
import { type PublishRequest, tryPrepareEvent } from './prepare-event.js';
import type { Published } from './store-events.js';

/** Options of an {@link EventPublisher}. */
export interface PublisherOptions extends GroupCommitOptions {
  /** Of the events that wait. Defaults to 16 MiB in all and 12 MiB of an account. */
  readonly waitingBytes?: ByteLimits;
}

const defaultWaitingBytes: ByteLimits = { total: 16 * 1_048_576, perAccount: 12 * 1_048_576 };

/** What a waiting event takes beside its body. */
const overheadBytes = 1_024;

/** Publishes events beside transactions, in groups with those of other callers. */
export class EventPublisher {
  readonly #options: PublisherOptions;
  readonly #groups: GroupCommit;
  readonly #waitingBytes: ByteBudget;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#groups = new GroupCommit(options);
    this.#waitingBytes = new ByteBudget(options.waitingBytes ?? defaultWaitingBytes);
  }

  /**
   * Publishes events. Each has its own result, which never touches another one.
   * @param signal takes those that still wait out of the queue
   * @returns in the order of `requests`: the event, a DomainError, or an error of PostgreSQL. After
   *   an error for which {@link isUnavailable} is true, the event may be stored or not.
   */
  async publish(
    requests: readonly PublishRequest[],
    signal?: AbortState,
  ): Promise<(Published | Error)[]> {
    const occurredAt = await this.#options.clock.now();
    return Promise.all(requests.map((each) => this.#publish(each, occurredAt, signal)));
  }

  async #publish(
    request: PublishRequest,
    occurredAt: Date,
    signal: AbortState | undefined,
  ): Promise<Published | Error> {
    const { accountId } = request;
    const { baseUrl } = this.#options.read.rules;
    const event = tryPrepareEvent({ occurredAt, baseUrl }, accountId, request);
    if (event instanceof DomainError) return event;
    const bytes = event.body.length;
    const reserved = bytes + overheadBytes;
    if (!this.#waitingBytes.reserve(accountId, reserved)) {
      return new SemaphoreRejected('Too many events wait to be published.');
    }
    try {
      return await new Promise((resolve) =>
        this.#groups.add({ accountId, bytes, event, signal, resolve }),
      );
    } finally {
      this.#waitingBytes.release(accountId, reserved);
    }
  }
}
