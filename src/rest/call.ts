import type { IncomingMessage } from 'node:http';
import type { Viewer } from '../domain/account/credentials.js';
import { type Actor, actorOf } from '../domain/actor.js';
import type { AbortState, Read, Transact } from '../domain/tx.js';
import type { Context } from '../graphql/context.js';
import type { Operation } from '../graphql/execute.js';
import type { Authenticator } from '../api/authenticator.js';
import type { BodyLimits } from '../api/json-body.js';
import type { OperationHandler } from './operations.js';
import type { Parameter, Query } from '../api/query.js';
import type { Policy, Quota, RateLimits } from '../api/rate-limit.js';
import type { BodyIssues, ValidateBody } from './validate-body.js';

/** An operation of the contract. */
export interface ContractEntry {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly permission: { readonly name: 'webhooks' | 'orders'; readonly level: 'read' | 'write' };
  readonly credentials: readonly string[];
  readonly rateLimit: Policy;
  /** Whether an Idempotency-Key is required. */
  readonly takesKey: boolean;
  readonly query: readonly Parameter[] | null;
  readonly body: {
    readonly limits: BodyLimits;
    /** False: a missing body counts as an empty object. */
    readonly required: boolean;
    readonly schema: object;
  } | null;
  readonly response: object | null;
  /** The statuses of its problems. */
  readonly problems: readonly number[];
}

/** An operation that routes.ts compiled at boot, with the path in the router's form: `/v1/…/:id`. */
export interface Route extends Omit<ContractEntry, 'query' | 'response'> {
  readonly id: string;
  readonly readQuery: ((search: string) => Query) | undefined;
  readonly validate: ValidateBody | undefined;
  readonly omit: ((response: unknown) => void) | undefined;
  readonly handler: OperationHandler;
  readonly operation: Operation<Readonly<Record<string, unknown>>, object>;
  readonly subject: Operation<unknown, { id: string }> | undefined;
}

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

/** The response of a request that succeeded. */
export interface RestResponse {
  readonly status: number;
  /** JSON; null for a response without content. */
  readonly text: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

export interface IncomingRequest {
  readonly route: Route;
  readonly request: IncomingMessage;
  /** As requested, without the query. Part of the fingerprint. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly search: string;
  /** Of the client, as the trusted proxies report it. */
  readonly address: string;
  /** Aborted once the request has timed out. */
  readonly deadline: AbortState;
  /** The trace of the request. */
  readonly traceparent: string | undefined;
}

/** One request on its way through the pipeline. Each stage adds what later stages need. */
export class Call {
  viewer!: Viewer;
  /** The quota after counting under the policy of the operation; undefined until then. */
  consumed: Quota | undefined;
  key = '';
  body: unknown;
  query: Query | undefined;
  issues: BodyIssues | undefined;
  /** Transactions of a mutation. The same one stores the response. */
  transact: Context['transact'] = unavailable;
  read: Read;
  /** The JSON value of {@link response}; undefined without content. */
  responseBody: unknown;
  response!: RestResponse;
  /** Headers of every response, also of an error. */
  headers: Readonly<Record<string, string>> = {};

  constructor(
    readonly incoming: IncomingRequest,
    readonly dependencies: Dependencies,
  ) {
    this.read = dependencies.read;
  }

  /** The viewer; undefined until authentication has succeeded. */
  get authenticated(): Viewer | undefined {
    return this.viewer;
  }

  get route(): Route {
    return this.incoming.route;
  }

  /** Who makes the changes of the request. */
  get actor(): Actor {
    const { address, request } = this.incoming;
    return actorOf(this.viewer, { address, userAgent: request.headers['user-agent'] });
  }

  get context(): Context {
    const { viewer, read, transact } = this;
    return {
      viewer,
      read,
      transact,
      publish: unavailable,
      publishAtomically: unavailable,
      schemas: unavailable,
      report: unavailable,
      waitForReplay: this.dependencies.waitForReplay,
      rateLimited,
      transport: 'rest',
    };
  }
}

/** Does not count again: the pipeline has counted the request under the policy of its operation. */
export function rateLimited<T>(_policy: string, work: () => Promise<T>): Promise<T> {
  return work();
}

/** What an operation never uses: a read opens no transaction, and `/v1` publishes in its own. */
export function unavailable(): never {
  throw new Error('An operation of /v1 requested what the pipeline does not give it.');
}
