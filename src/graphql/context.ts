import type { IncomingMessage } from 'node:http';
import type { Viewer } from '../domain/account/credentials.js';
import { actorOf, type Origin } from '../domain/transaction/actor.js';
import type { ReplayResult } from '../domain/delivery/replay.js';
import type { DomainError } from '../domain/errors.js';
import type { EventSchemas } from '../domain/event-type/event-schemas.js';
import type { EventPublisher, PublishCaller } from '../domain/event/event-publisher.js';
import type { PublishRequest } from '../domain/event/prepare-event.js';
import type { Published } from '../domain/event/store-events.js';
import type { ServiceFacts } from '../domain/service/engine-facts.js';
import type { AbortState, Read, Transact, TransactOptions, Tx } from '../domain/transaction/tx.js';
import type { Tracing } from '../process/tracing.js';
import { type Limits, rateLimited } from './admission.js';
import type { Report } from './errors.js';

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
  readonly transport: 'rest' | 'graphql';
}

/** What the contexts of all operations on one route share. */
export interface ContextOptions {
  /** The context of resolvers without its per-request members. */
  readonly dependencies: Pick<Context, 'read' | 'waitForReplay' | 'serviceFacts'> & {
    readonly publisher: Pick<EventPublisher, 'publish' | 'publishAtomically' | 'schemas'>;
    readonly transact: Transact;
  };
  readonly limits: Limits;
  /** Timeout in milliseconds of a request that waits for a replay. */
  readonly replayLimitMs: number;
  /** Returns the client's address. Defaults to that of the connection. */
  readonly addressOf?: (request: IncomingMessage) => string;
  readonly tracing?: Tracing | undefined;
  /** Called with internal errors. */
  readonly report: Report;
}

/** The time limit of a request; a replay extends it. */
export interface TimeLimit extends AbortState {
  extend(limitMs: number): void;
}

/** A request, with what its listener knows about it. */
interface Exchange {
  readonly req: IncomingMessage;
  readonly state: { readonly deadline?: TimeLimit; readonly traceparent?: string | undefined };
}

/** Whether the client still waits. A class, because creating an accessor in an object literal is slow. */
class CallerState implements PublishCaller {
  readonly traceparent: string | undefined;
  readonly #exchange: Exchange;

  constructor(exchange: Exchange, traceparent: string | undefined) {
    this.traceparent = traceparent;
    this.#exchange = exchange;
  }

  get aborted(): boolean {
    const { req, state } = this.#exchange;
    return state.deadline?.aborted === true || req.socket.destroyed;
  }
}

/**
 * Creates the context of one operation. Changes made in a dashboard share the semaphore of its account. Internal tools
 * act for many accounts, so theirs do not.
 */
export function graphqlContext(
  viewer: Viewer,
  { dependencies, limits, replayLimitMs, addressOf, tracing, report }: ContextOptions,
  exchange: Exchange,
): Context {
  const { deadline, traceparent } = exchange.state;
  const { req } = exchange;

  // Read now, because a closed connection has no address.
  const address = addressOf?.(req) ?? req.socket.remoteAddress;
  const origin = { address, userAgent: req.headers['user-agent'] };
  const transact: Context['transact'] = (work) =>
    dependencies.transact(work, transactOptions(viewer, origin, exchange.state));
  const callerIn = (trace: string | undefined) => new CallerState(exchange, trace);

  const publish: Context['publish'] = async (requests) => {
    const span = traceparent && tracing?.begin({ name: 'publish', parent: traceparent });
    if (!span) return dependencies.publisher.publish(requests, callerIn(traceparent));

    const attributes = { 'messaging.batch.message_count': requests.length };
    let failed = true;
    try {
      const results = await dependencies.publisher.publish(requests, callerIn(span.traceparent));
      failed = results.some((result) => result instanceof Error);
      return results;
    } finally {
      span.end({ attributes, failed });
    }
  };

  return {
    read: dependencies.read,
    transact,
    viewer,
    report,
    transport: 'graphql',
    serviceFacts: dependencies.serviceFacts,
    publish,
    publishAtomically: (requests) => dependencies.publisher.publishAtomically(transact, requests),
    schemas: () => dependencies.publisher.schemas,
    waitForReplay: (pendingDeliveryId) => {
      deadline?.extend(replayLimitMs);
      return dependencies.waitForReplay(pendingDeliveryId);
    },
    rateLimited: (policy, work) => rateLimited(viewer, limits, policy, work),
  };
}

function transactOptions(
  viewer: Viewer,
  origin: Origin,
  { deadline, traceparent }: Exchange['state'],
): TransactOptions {
  return {
    actor: actorOf(viewer, origin),
    traceparent,
    ...(viewer.kind !== 'internal' && { semaphoreKey: viewer.account }),
    ...(deadline && { signal: deadline }),
  };
}
