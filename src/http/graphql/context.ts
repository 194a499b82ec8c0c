// The context of operations of GraphQL: each change is a transaction of its own, and what costs more than a request
// is counted against its own rate limit. The context of `/v1` is made in `rest/execute.ts`.
import type { IncomingMessage } from 'node:http';
import { isPortalSession, type Viewer } from '../../domain/account/credentials.js';
import { actorOf, type Origin } from '../../domain/transaction/actor.js';
import type { EventPublisher, PublishCaller } from '../../domain/event/event-publisher.js';
import type { AbortState, Transact, TransactOptions } from '../../domain/transaction/tx.js';
import type { Context } from '../../graphql/context.js';
import type { Tracing } from '../../process/tracing.js';
import { rateLimitExceeded, type RateLimits } from '../rate-limits.js';
import { type Report, toIssue } from './errors.js';

/** The rate limits of the public API, which also apply here. */
export type Limits = Pick<RateLimits, 'consume' | 'restore'>;

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
interface GraphQLRequest {
  readonly req: IncomingMessage;
  readonly state: { readonly deadline?: TimeLimit; readonly traceparent?: string | undefined };
}

/** Whether the client still waits. A class, because creating an accessor in an object literal is slow. */
class CallerState implements PublishCaller {
  readonly traceparent: string | undefined;
  readonly #exchange: GraphQLRequest;

  constructor(exchange: GraphQLRequest, traceparent: string | undefined) {
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
  exchange: GraphQLRequest,
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
    toIssue,
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
  { deadline, traceparent }: GraphQLRequest['state'],
): TransactOptions {
  return {
    actor: actorOf(viewer, origin),
    traceparent,
    ...(viewer.kind !== 'internal' && { semaphoreKey: viewer.account }),
    ...(deadline && { signal: deadline }),
  };
}

/**
 * Counts work that has a limit besides that of requests, and runs it if the limit allows. Internal tools act for many
 * accounts and are not limited.
 * @throws ApiError `rate_limit_exceeded`, and what `work` throws
 */
async function rateLimited<T>(
  viewer: Viewer,
  limits: Limits,
  policy: 'replay' | 'mail' | 'test',
  work: () => Promise<T>,
): Promise<T> {
  const { kind, account } = viewer;
  if (kind === 'internal') return work();

  const quota = await limits.consume(policy, account, isPortalSession(viewer));

  try {
    if (quota.exceeded) throw rateLimitExceeded(quota);
    return await work();
  } catch (error) {
    // Only mails that were sent count, neither those over the limit nor those that failed.
    if (policy === 'mail') await limits.restore(policy, account, quota);
    throw error;
  }
}
