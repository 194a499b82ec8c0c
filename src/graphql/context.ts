import type { Viewer } from '../domain/account/credentials.js';
import type { ReplayResult } from '../domain/delivery/replay.js';
import type { DomainError, Issue } from '../domain/errors.js';
import type { EventSchemas } from '../domain/event-type/event-schemas.js';
import type { PublishRequest } from '../domain/event/prepare-event.js';
import type { Published } from '../domain/event/store-events.js';
import type { ServiceFacts } from '../domain/service/engine-facts.js';
import type { Read, Tx } from '../domain/transaction/tx.js';

/**
 * What every resolver gets. The transport decides what `transact` does: `/graphql` opens a
 * transaction, `/v1` uses the one that also stores the response for the Idempotency-Key.
 */
export interface Context {
  readonly viewer: Viewer;
  readonly read: Read;
  readonly transact: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** Publishes events in transactions of the publisher, which groups them. @returns each event or its error, in order */
  readonly publish: (requests: readonly PublishRequest[]) => Promise<(Published | Error)[]>;
  /** Publishes all events in one transaction, or none. @returns each event or its error, in order */
  readonly publishAtomically: (
    requests: readonly PublishRequest[],
  ) => Promise<(Published | DomainError)[]>;
  /** The compiled schemas of event types, which this process caches. */
  readonly schemas: () => EventSchemas;
  /** Waits until the first attempt of a replay has ended. */
  readonly waitForReplay: (pendingDeliveryId: string) => Promise<ReplayResult>;
  /**
   * Counts `work` against a rate limit and runs it. `/v1` has already counted it, so there it only runs. A mail
   * that is not sent does not count.
   * @throws ApiError `rate_limit_exceeded`
   */
  readonly rateLimited: <T>(
    policy: 'replay' | 'mail' | 'test',
    work: () => Promise<T>,
  ) => Promise<T>;
  /** Reads the status of the whole service. Only the internal listener has it. */
  readonly serviceFacts?: (() => Promise<ServiceFacts>) | undefined;
  /** Logs an internal error that becomes part of a result, so that the operation itself succeeds. */
  readonly report: (error: unknown) => void;
  /** Says what a client learns about an error that becomes part of a result. */
  readonly toIssue: (error: Error) => Issue<string>;
  readonly transport: 'rest' | 'graphql';
}
