import type { IncomingMessage } from 'node:http';
import type { Viewer } from '../domain/account/credentials.js';
import { actorOf, type Origin } from '../domain/actor.js';
import type { EventPublisher } from '../domain/event/event-publisher.js';
import type { Tracing } from '../telemetry/tracing.js';
import type { PublishCaller } from '../domain/event/event-publisher.js';
import type { AbortState, Transact, TransactOptions } from '../domain/tx.js';
import { type Limits, rateLimited } from './admission.js';
import type { Context } from './context.js';
import type { Report } from './errors.js';

/** What the contexts of all operations of one handler share. */
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

/** The timeout of a request; a replay extends it. */
export interface TimeLimit extends AbortState {
  extend(limitMs: number): void;
}

/** A request whose client waits. */
interface Waiting {
  readonly req: IncomingMessage;
  readonly state: { readonly deadline?: TimeLimit; readonly traceparent?: string | undefined };
}

/** Whether a client still waits. A class, because an accessor of an object literal is slow to make. */
class CallerState implements PublishCaller {
  readonly traceparent: string | undefined;
  readonly #exchange: Waiting;

  constructor(exchange: Waiting, traceparent: string | undefined) {
    this.traceparent = traceparent;
    this.#exchange = exchange;
  }

  get aborted(): boolean {
    const { req, state } = this.#exchange;
    return state.deadline?.aborted === true || req.socket.destroyed;
  }
}

/** Makes the context of one operation. Changes of a dashboard share the semaphore of its account; internal tools act for many accounts. */
export function contextOf(
  viewer: Viewer,
  { dependencies, limits, replayLimitMs, addressOf, tracing, report }: ContextOptions,
  exchange: Waiting,
): Context {
  const { deadline, traceparent } = exchange.state;
  const { req } = exchange;

  // Read now: a client that has left has no address.
  const address = addressOf?.(req) ?? req.socket.remoteAddress;
  const origin = { address, userAgent: req.headers['user-agent'] };
  const transact: Context['transact'] = (work) =>
    dependencies.transact(work, transactOptions(viewer, origin, exchange.state));
  const callerIn = (trace: string | undefined) => new CallerState(exchange, trace);
  return {
    read: dependencies.read,
    transact,
    viewer,
    report,
    transport: 'graphql',
    serviceFacts: dependencies.serviceFacts,
    publish: async (requests) => {
      const span = traceparent && tracing?.begin({ name: 'publish', parent: traceparent });
      if (!span) return dependencies.publisher.publish(requests, callerIn(traceparent));
      const attributes = { 'messaging.batch.message_count': requests.length };
      let failed = true;
      try {
        const results = await dependencies.publisher.publish(requests, callerIn(span.traceparent));
        failed = results.some((each) => each instanceof Error);
        return results;
      } finally {
        span.end({ attributes, failed });
      }
    },
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
  { deadline, traceparent }: Waiting['state'],
): TransactOptions {
  return {
    actor: actorOf(viewer, origin),
    traceparent,
    ...(viewer.kind !== 'internal' && { semaphoreKey: viewer.account }),
    ...(deadline && { signal: deadline }),
  };
}
