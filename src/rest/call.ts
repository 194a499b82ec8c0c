import type { Viewer } from '../domain/account/credentials.js';
import { type Actor, actorOf } from '../domain/actor.js';
import type { AbortState, Read, Transact } from '../domain/tx.js';
import type { Context } from '../graphql/context.js';
import type { Authenticator } from '../api/authentication.js';
import type { RateLimits } from '../api/rate-limit.js';
import type { Reply } from '../api/replies.js';
import type { OperationExchange } from '../http/operation.js';
import type { Route } from './routes.js';

/** What all operations of `/v1` share. */
export interface Dependencies {
  readonly read: Read;
  readonly transact: Transact;
  readonly waitForReplay: Context['waitForReplay'];
  readonly limits: RateLimits;
  readonly authenticator: Authenticator;
  /** Completes replays that other requests began. */
  readonly replay: Route;
  /** Timeout of a replay in milliseconds. It is longer than usual, since the caller waits for an attempt. */
  readonly replayLimitMs: number;
}

/** A request of `/v1`, with what the router found in it. */
export interface RestExchange extends OperationExchange {
  readonly state: OperationExchange['state'] & {
    /** Aborted once the request has timed out. */
    readonly deadline: AbortState;
    /** The trace of the request. */
    readonly traceparent?: string | undefined;
  };
  /** As requested, without the query. Part of the fingerprint. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly search: string;
  /** Of the client, as the trusted proxies report it. */
  readonly address: string;
}

/** A request that may be executed: who asks, under which key, with which body. */
export interface Call {
  readonly route: Route;
  readonly dependencies: Dependencies;
  readonly exchange: RestExchange;
  readonly viewer: Viewer;
  readonly key: string;
  readonly body: unknown;
}

/** The response to a request that succeeded. */
export interface RestResponse extends Reply {
  /** JSON; null for a response without content. */
  readonly text: string | null;
  /** The JSON value of the text; undefined without content. */
  readonly body?: unknown;
}

/** Where an operation reads and changes. */
export type DatabaseAccess = Pick<Context, 'read' | 'transact'>;

/** Who makes the changes of a request. */
export function actorOfCall({ viewer, exchange: { address, req } }: Call): Actor {
  return actorOf(viewer, { address, userAgent: req.headers['user-agent'] });
}

/** Makes the context of resolvers. */
export function contextOf(
  { viewer, dependencies }: Pick<Call, 'viewer' | 'dependencies'>,
  { read, transact }: DatabaseAccess,
  waitForReplay = dependencies.waitForReplay,
): Context {
  return {
    viewer,
    read,
    transact,
    waitForReplay,
    publish: unavailable,
    publishAtomically: unavailable,
    schemas: unavailable,
    report: unavailable,
    rateLimited,
    transport: 'rest',
  };
}

/** Does not count again: the request was counted under the policy of its operation. */
function rateLimited<T>(_policy: string, work: () => Promise<T>): Promise<T> {
  return work();
}

/** What an operation never uses: a read opens no transaction, and `/v1` publishes in its own. */
export function unavailable(): never {
  throw new Error('An operation of /v1 requested what it is not given.');
}

/** The headers of a response with content. */
export const jsonHeaders: Reply['headers'] = { 'Content-Type': 'application/json; charset=utf-8' };
