import type { IncomingMessage } from 'node:http';
import type { Viewer } from '../domain/account/credentials.js';
import type { AbortState, Read, Transact } from '../domain/tx.js';
import type { Context } from '../graphql/context.js';
import type { Operation } from '../graphql/execute.js';
import type { Authenticator } from '../api/authenticator.js';
import type { BodyLimits } from './json-body.js';
import type { OperationHandler } from './operations.js';
import type { Query } from './query.js';
import type { Policy, Quota, RateLimits } from '../api/rate-limit.js';
import type { BodyIssues, ValidateBody } from './validate-body.js';

/** An operation of the contract with everything about it compiled; made at boot by serve.ts. */
export interface Route {
  readonly id: string;
  readonly method: string;
  /** As the router writes it: `/v1/webhooks/endpoints/:id`. */
  readonly path: string;
  readonly status: number;
  readonly permission: { readonly name: 'webhooks' | 'orders'; readonly level: 'read' | 'write' };
  readonly credentials: readonly string[];
  readonly rateLimit: Policy;
  /** Whether an Idempotency-Key is required. */
  readonly takesKey: boolean;
  readonly readQuery: ((search: string) => Query) | undefined;
  readonly body:
    | {
        readonly limits: BodyLimits;
        /** False: a request without a body counts as one with an empty object. */
        readonly required: boolean;
        readonly validate: ValidateBody;
      }
    | undefined;
  readonly omit: ((response: unknown) => void) | undefined;
  readonly handler: OperationHandler;
  readonly operation: Operation<Readonly<Record<string, unknown>>, object>;
  readonly subject: Operation<unknown, { id: string }> | undefined;
}

/** What requests need of the process. */
export interface Dependencies {
  readonly read: Read;
  readonly transact: Transact;
  readonly waitForReplay: Context['waitForReplay'];
  readonly limits: RateLimits;
  readonly authenticator: Authenticator;
  /** Finishes replays that other requests began (H76.3). */
  readonly replay: Route;
  /** How long a replay may take, since its caller waits for an attempt. */
  readonly replayLimitMs: number;
}

/** What is sent when a request succeeded. */
export interface RestResponse {
  readonly status: number;
  /** JSON; null for an answer without content. */
  readonly text: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a request brings with it. */
export interface IncomingRequest {
  readonly route: Route;
  readonly request: IncomingMessage;
  /** As requested, without the query; part of the fingerprint (H41). */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly search: string;
  /** Of the client, behind the proxies that are trusted. */
  readonly address: string;
  /** Aborted once the request was refused for having taken too long. */
  readonly deadline: AbortState;
}

/** One request on its way through the pipeline; each stage adds what later ones need. */
export class Call {
  viewer!: Viewer;
  /** What was counted under the policy of the operation; undefined when nothing was. */
  consumed: Quota | undefined;
  key = '';
  body: unknown;
  query: Query | undefined;
  issues: BodyIssues | undefined;
  /** Where a mutation reads and writes; the transaction that stores the response too. */
  transact: Context['transact'] = unavailable;
  read: Read;
  /** The JSON value of {@link response}; undefined when it has no content. */
  responseBody: unknown;
  response!: RestResponse;
  /** Headers that the response has whatever becomes of the request. */
  headers: Readonly<Record<string, string>> = {};

  constructor(
    readonly incoming: IncomingRequest,
    readonly dependencies: Dependencies,
  ) {
    this.read = dependencies.read;
  }

  /** The viewer, if the request came that far. */
  get authenticated(): Viewer | undefined {
    return this.viewer;
  }

  get route(): Route {
    return this.incoming.route;
  }

  /** What the resolvers get. */
  get context(): Context {
    const { viewer, read, transact } = this;
    return {
      viewer,
      read,
      transact,
      waitForReplay: this.dependencies.waitForReplay,
      rateLimited,
      transport: 'rest',
    };
  }
}

/** The pipeline has counted the request under the policy of its operation. */
export function rateLimited<T>(_policy: string, work: () => Promise<T>): Promise<T> {
  return work();
}

function unavailable(): Promise<never> {
  throw new Error('a read asked for a transaction');
}
