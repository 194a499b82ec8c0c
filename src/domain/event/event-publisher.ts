import { EventSchemas } from '../event-type/event-schemas.js';
import type { DomainError, Issue } from '../errors.js';
import { type AbortState, SemaphoreRejected, TransactionAborted, type Tx } from '../tx.js';
import { ByteBudget, type ByteLimits } from './byte-budget.js';
import { GroupCommit, type GroupCommitOptions } from './group-commit.js';
import { prepareChecked, reportMismatch, schemaUnresolved } from './prepare-checked.js';
import {
  type Preparation,
  preparationAt,
  type PreparedEvent,
  type PublishRequest,
} from './prepare-event.js';
import { publishAtomically } from './publish-atomically.js';
import { maxTries } from './publish.js';
import { type Published, SchemaOutdated } from './store-events.js';

/** Options of an {@link EventPublisher}. */
export interface PublisherOptions extends GroupCommitOptions {
  /**
   * Of the events that wait. Defaults to 16 MiB in all and 12 MiB of an account. Accounts of which at
   * most 1 MiB wait have 8 MiB more.
   */
  readonly waitingBytes?: ByteLimits;
  /** Monotonic clock in milliseconds. */
  readonly monotonicMs: () => number;
  /** Called for an event that is published although its data breaks its schema. Must not throw. */
  readonly mismatched: (type: string, issues: readonly Issue[]) => void;
}

/** Who waits for events to be published, and in which trace. */
export interface PublishCaller extends AbortState {
  readonly traceparent?: string | undefined;
}

const mebibyte = 1_048_576;

const defaultWaitingBytes: ByteLimits = {
  total: 16 * mebibyte,
  perAccount: 12 * mebibyte,
  reserve: { total: 8 * mebibyte, perAccount: mebibyte },
};

/** What a waiting event takes beside its body. */
const overheadBytes = 1_024;

/** Publishes events beside transactions, in groups with those of other callers. */
export class EventPublisher {
  readonly #options: PublisherOptions;
  /** With which it compares the data of events. */
  readonly schemas: EventSchemas;
  readonly #groups: GroupCommit;
  readonly #waitingBytes: ByteBudget;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#groups = new GroupCommit(options);
    this.schemas = new EventSchemas(options);
    this.#waitingBytes = new ByteBudget(options.waitingBytes ?? defaultWaitingBytes);
  }

  /**
   * Publishes events. Each has its own result, which never touches another one.
   * @param caller its `aborted` takes those that still wait out of the queue
   * @returns in the order of `requests`: the event, a DomainError, or an error of PostgreSQL. After
   *   an error for which {@link isUnavailable} is true, the event may be stored or not.
   */
  async publish(
    requests: readonly PublishRequest[],
    caller?: PublishCaller,
  ): Promise<(Published | Error)[]> {
    const { clock, read } = this.#options;
    const occurredAt = await clock.now();
    const preparation = preparationAt(occurredAt, read.rules.baseUrl, caller?.traceparent);
    return Promise.all(requests.map((each) => this.#publish(each, preparation, caller)));
  }

  /**
   * Publishes all events in one transaction, or none; as {@link publishAtomically}.
   * @returns in the order of `requests`
   */
  publishAtomically(
    transact: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
    requests: readonly PublishRequest[],
  ): Promise<(Published | DomainError)[]> {
    return publishAtomically(transact, this.schemas, requests);
  }

  async #publish(
    request: PublishRequest,
    preparation: Preparation,
    caller: PublishCaller | undefined,
  ): Promise<Published | Error> {
    const { schemas } = this;
    for (let tries = 0; tries < maxTries; tries += 1) {
      while (schemas.isTurnOver) await schemas.turn();
      if (caller?.aborted) return new TransactionAborted();
      const event = prepareChecked(schemas, preparation, request, tries > 0);
      const result = event instanceof Error ? event : await this.#store(event, caller);
      if (!(result instanceof SchemaOutdated)) {
        if (!(event instanceof Error)) reportMismatch(schemas, event, result);
        return result;
      }

      try {
        await schemas.load([result.type]);
      } catch (error) {
        return error as Error;
      }
    }
    return schemaUnresolved();
  }

  #store(event: PreparedEvent, signal: AbortState | undefined): Promise<Published | Error> {
    const { accountId } = event;
    const bytes = event.body.length;
    const reserved = bytes + overheadBytes;
    if (!this.#waitingBytes.reserve(accountId, reserved)) {
      return Promise.resolve(new SemaphoreRejected('Too many events wait to be published.'));
    }
    return new Promise((resolve) => {
      const finish = (result: Published | Error) => {
        this.#waitingBytes.release(accountId, reserved);
        resolve(result);
      };
      this.#groups.add({ accountId, bytes, event, signal, resolve: finish });
    });
  }
}
