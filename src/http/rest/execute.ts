// One call of an operation of `/v1`: what it carries, the context of its resolvers, and its execution. The body is
// validated by the contract and, as far as GraphQL variables can hold it, by the domain, so a client gets all errors
// at once.
import type { Viewer } from '../../domain/account/credentials.js';
import { type Actor, actorOf } from '../../domain/transaction/actor.js';
import { DomainError, type Issue, validationFailed } from '../../domain/errors.js';
import {
  type AbortState,
  type Read,
  throwIfAborted,
  type Transact,
} from '../../domain/transaction/tx.js';
import type { Context } from '../../graphql/context.js';
import { execute as executeOperation } from '../../graphql/execute.js';
import type { Authenticator } from '../authentication.js';
import { jsonHeaders, type Reply } from '../exchange.js';
import type { OperationExchange } from '../operation.js';
import type { RateLimits } from '../rate-limits.js';
import type { Route } from './routes.js';
import type { BodyIssues } from './validation.js';

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
  /** The client's address, as the trusted proxies report it. */
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

/** Where an operation reads and makes its changes. */
export type DatabaseAccess = Pick<Context, 'read' | 'transact'>;

/** Validates a request and runs its operation. */
export async function executeCall(call: Call, database: DatabaseAccess): Promise<RestResponse> {
  const { route, exchange, body } = call;
  const { params, search, state } = exchange;
  const context = restContext(call, database);

  const query = route.readQuery?.(search);
  const issues = route.validate?.(body);

  // If GraphQL variables can hold the body, the domain validates it too. The client gets all errors
  // at once.
  if (issues && !issues.wellFormed) await rejectBody(call, context, issues);

  throwIfAborted(state.deadline);

  const variables = route.definition.variables({ params, query, body });
  let result: Readonly<Record<string, unknown>>;
  try {
    result = await executeOperation(route.operation, variables, context);
  } catch (error) {
    throw issues ? mergeIssues(error, issues.errors) : error;
  }

  // The domain accepted a body that breaks the contract: the transaction rolls back.
  if (issues) throw validationFailed(issues.errors);

  return responseOf(route, result);
}

async function rejectBody(
  { route: { subject, definition }, exchange: { params } }: Call,
  context: Context,
  { errors, validFields }: BodyIssues,
): Promise<never> {
  // 404 takes precedence over 422; only a refused body needs this look-up.
  if (subject) await executeOperation(subject, { id: params['id'] ?? '' }, context);
  const domainIssues = await definition.validateInput?.(context.read, context.viewer.account, {
    params,
    body: validFields,
  });
  throw validationFailed([...(domainIssues ?? []), ...errors]);
}

/** The domain's errors, and the contract's errors for fields that the domain did not name. */
function mergeIssues(error: unknown, issues: readonly Issue[]): unknown {
  if (!(error instanceof DomainError) || error.code !== 'validation_failed') return error;
  const named = new Set(error.errors.map(({ param }) => param));
  return validationFailed([...error.errors, ...issues.filter(({ param }) => !named.has(param))]);
}

function responseOf(
  { status, stripNulls, definition }: Route,
  result: Readonly<Record<string, unknown>>,
): RestResponse {
  const headers = definition.headers?.(result);
  if (status === 204) return { status, headers: headers ?? {}, text: null };

  const body = 'body' in result ? result['body'] : result;
  stripNulls?.(body);
  return {
    status,
    headers: headers ? { ...jsonHeaders, ...headers } : jsonHeaders,
    text: JSON.stringify(body),
    body,
  };
}

/** Who makes the changes of a request. */
export function actorOfCall({ viewer, exchange: { address, req } }: Call): Actor {
  return actorOf(viewer, { address, userAgent: req.headers['user-agent'] });
}

/** Creates the context of resolvers. */
export function restContext(
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
    toIssue: unavailable,
    rateLimited,
    transport: 'rest',
  };
}

/** Does not count again: the request was counted under the policy of its operation. */
function rateLimited<T>(_policy: string, work: () => Promise<T>): Promise<T> {
  return work();
}

/** Throws: reads of `/v1` open no transaction, and no operation of `/v1` publishes. */
export function unavailable(): never {
  throw new Error('An operation of /v1 requested what it is not given.');
}
