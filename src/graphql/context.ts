import type { DomainError } from '../domain/errors.js';
import type { Viewer } from '../domain/account/credentials.js';
import type { ReplayResult } from '../domain/delivery/replay.js';
import type { PublishRequest } from '../domain/event/prepare-event.js';
import type { EventSchemas } from '../domain/event-type/event-schemas.js';
import type { Published } from '../domain/event/store-events.js';
import type { ServiceFacts } from '../domain/service/engine-facts.js';
import type { Read, Tx } from '../domain/tx.js';

/**
 * What every resolver gets. The caller decides what `transact` does. On /graphql it opens a
 * transaction. Behind `/v1` it uses the one that also stores the response for the Idempotency-Key.
 */
export interface Context {
  readonly viewer: Viewer;
  readonly read: Read;
  readonly transact: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** Publishes events beside transactions. @returns in their order: each event or its error */
  readonly publish: (requests: readonly PublishRequest[]) => Promise<(Published | Error)[]>;
  /** Publishes all events in one transaction, or none. @returns in their order: each event or its error */
  readonly publishAtomically: (
    requests: readonly PublishRequest[],
  ) => Promise<(Published | DomainError)[]>;
  /** The schemas of event types, which this process keeps compiled. */
  readonly schemas: () => EventSchemas;
  /** Waits until the first attempt of a replay has ended. */
  readonly waitForReplay: (pendingDeliveryId: string) => Promise<ReplayResult>;
  /**
   * Counts and runs `work`. `/v1` has already counted it, so there it only runs. If a mail is not
   * sent, it is not counted.
   * @throws ApiError `rate_limit_exceeded`
   */
  readonly rateLimited: <T>(
    policy: 'replay' | 'mail' | 'test',
    work: () => Promise<T>,
  ) => Promise<T>;
  /** Reads how the whole service does. Only the internal listener has it. */
  readonly serviceFacts?: (() => Promise<ServiceFacts>) | undefined;
  /** Logs an error of ours that a result shows in place of the whole operation. */
  readonly report: (error: unknown) => void;
  readonly transport: 'rest' | 'graphql';
}
