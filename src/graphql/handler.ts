import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { HTTPGraphQLResponse } from '@apollo/server';
import { ApiError } from '../api/problem.js';
import type { Reply } from '../api/request-state.js';
import { authenticate, type Authenticator, count } from './admission.js';
import type { Context } from './context.js';
import { toErrorExtensions, statusOf } from './errors.js';
import { chooseMediaType } from './media-type.js';
import { contextOf, type ContextOptions, type TimeLimit } from './request-context.js';
import { rejectUnstorableBody } from './storable-body.js';

/** The part of a Koa context that this handler uses. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly state: ExchangeState;
}

/** Request state that the handler reads and writes. */
export interface ExchangeState {
  /** For the log. */
  caller?: Caller;
  /** The rate-limit headers of a counted request, for each of its responses. */
  quota?: Readonly<Record<string, string>>;
  deadline?: TimeLimit;
  traceparent?: string | undefined;
  reply?: Reply;
}

/** Who called, for the log. */
export interface Caller {
  readonly account: string;
  readonly credential: string;
  readonly kind: string;
  /** The operation name from the client. */
  operation?: string;
}

const maxNameLength = 100;

/** One operation that was POSTed as JSON. */
export interface OperationPost {
  readonly headers: IncomingHttpHeaders;
  /** The media type of the response. */
  readonly accept: string;
  readonly body: unknown;
}

/** Runs one operation. Errors of GraphQL are part of the response. */
export type ExecuteOperation = (
  post: OperationPost,
  context: Context,
) => Promise<HTTPGraphQLResponse>;

export interface HandlerOptions extends ContextOptions {
  readonly execute: ExecuteOperation;
  /** Operations in progress, at most. One more is refused before any query. */
  readonly maxConcurrent: number;
  readonly authenticator: Authenticator;
  /** Runs `work` with a JSON body. @throws ApiError for a body that it refuses */
  readonly withBody: <T>(
    request: IncomingMessage,
    work: (body: unknown, bytes: Buffer) => Promise<T>,
  ) => Promise<T>;
  /** Called with the code of each error before GraphQL begins. */
  readonly countError: (code: string) => void;
}

/**
 * Serves /graphql: POST of one operation as JSON, with an internal credential or a dashboard token.
 * It authenticates before it reads the body, as the public API does. Errors before GraphQL begins
 * have the form of a GraphQL response and the status of the matching Problem.
 */
export function graphqlHandler(options: HandlerOptions): (exchange: Exchange) => Promise<void> {
  const { dependencies, withBody } = options;
  let inFlight = 0;
  return async (exchange) => {
    inFlight += 1;
    try {
      if (inFlight > options.maxConcurrent) throw overloaded(options.maxConcurrent);
      const { limits, authenticator } = options;
      const viewer = await authenticate(exchange.req, { read: dependencies.read, authenticator });
      const { account, credential, kind } = viewer;
      const caller: Caller = { account, credential, kind };
      exchange.state.caller = caller;
      exchange.state.quota = await count(viewer, limits);
      if (exchange.req.method !== 'POST') throw methodNotAllowed();
      const accept = chooseMediaType(exchange.req.headers.accept);
      const context = contextOf(viewer, options, exchange);
      const response = await withBody(exchange.req, (body, bytes) => {
        const operation = operationOf(body);
        if (operation !== undefined) caller.operation = operation;
        rejectUnstorableBody(body, bytes);
        return options.execute({ headers: exchange.req.headers, accept, body }, context);
      });
      if (response.body.kind !== 'complete') throw new Error('Apollo sent no whole response.');
      exchange.state.reply = {
        status: response.status ?? 200,
        headers: Object.fromEntries(response.headers),
        text: response.body.string,
      };
    } catch (error) {
      exchange.state.reply = refusalOf(error, options);
    } finally {
      inFlight -= 1;
    }
  };
}

function operationOf(body: unknown): string | undefined {
  const { operationName, query } = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof operationName === 'string') return operationName.slice(0, maxNameLength);
  // An operation without a name is logged by its first field.
  return typeof query === 'string'
    ? /\{\s*(?:\w+\s*:\s*)?(\w+)/.exec(query.slice(0, 2_000))?.[1]?.slice(0, maxNameLength)
    : undefined;
}

function refusalOf(error: unknown, { report, countError }: HandlerOptions): Reply {
  const extensions = toErrorExtensions(error);
  const { code, detail, retryAfterSeconds } = extensions;
  if (code === 'internal_error') report(error);
  countError(code);
  const known = error instanceof ApiError ? error : undefined;
  const retryAfter =
    retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
  return {
    status: statusOf(code),
    headers: {
      ...retryAfter,
      ...known?.headers,
      'Content-Type': 'application/json; charset=utf-8',
    },
    text: JSON.stringify({ errors: [{ message: detail, extensions: { ...extensions } }] }),
  };
}

function overloaded(maximum: number): ApiError {
  const detail = `At most ${maximum} operations can run at a time. Retry later.`;
  return new ApiError('service_unavailable', detail, { retryAfterSeconds: 1 });
}

function methodNotAllowed(): ApiError {
  const headers = { Allow: 'POST' };
  return new ApiError('method_not_allowed', 'Send operations by POST.', { headers });
}
