// The public listener: `/v1`, the dashboard, the portals, hosted pages, invoices, live streams, and the pages that Problems
// and events link to.
//
// Every request passes the boundary (request-boundary.ts), and then what serves its path, which sets `ctx.state`: a
// reply, or a stream. `/v1` comes first, because most requests are for it. A crash loses responses only: the client
// repeats its request, and gets what was committed under the same key.
import type { IncomingMessage, RequestListener } from 'node:http';
import { type Logger, redactPath } from '../../process/log.js';
import { spanNames, type Tracing } from '../../process/tracing.js';
import type { RequestState } from '../exchange.js';
import { logKoaError } from './listen.js';
import type { Observe } from './metrics.js';
import { type AnsweredRequest, requestBoundary } from './request-boundary.js';

import Koa = require('koa');

interface PublicAppOptions {
  /** Serves the contract, and refuses each path that nothing else serves. */
  readonly rest: Koa.Middleware<RequestState>;
  /** Serve the paths outside `/v1`, in this order: each passes on what it does not serve. */
  readonly middlewares: readonly Koa.Middleware<RequestState>[];
  /** Prefix of Problem types, without a trailing slash. */
  readonly origin: string;
  readonly log: Logger;
  readonly observe: Observe;
  readonly tracing: Tracing | undefined;
}

/** Serves the public listener. Under `/v1` it serves only the contract. */
export function createPublicApp(options: PublicAppOptions): RequestListener {
  const { rest, middlewares, origin, log, observe, tracing } = options;
  const app = new Koa<RequestState>();

  // A last resort: the boundary handles errors of all later middleware.
  app.on('error', logKoaError(log));

  app.use(
    requestBoundary({
      origin,
      isSecure: origin.startsWith('https:'),
      tracing,
      // A client outside does not decide what is recorded.
      continuesTraces: false,
      spanName: ({ method }) => method,
      describeSpan: ({ ctx: { state, method } }) => ({
        name: state.operation ?? method,
        attributes: { 'signalpost.account': state.caller?.account },
      }),
      record: (request) => {
        const { ctx, status, durationMs } = request;
        observe(operationOf(ctx.state), status, durationMs / 1_000);
        logRequest(log, request);
      },
    }),
  );

  // Most requests are for /v1: they skip the other middleware.
  app.use((ctx, next): Promise<void> => {
    return ctx.path.startsWith('/v1/') ? (rest(ctx, next) as Promise<void>) : next();
  });

  for (const middleware of middlewares) app.use(middleware);
  app.use(rest);

  const listener = app.callback();
  return (request, response) => void listener(request, response);
}

/** The name of a request in logs and metrics. */
function operationOf({ operation = 'none' }: RequestState): string {
  return operation;
}

/** Logs one line, with the error if it is one of the service. */
function logRequest(log: Logger, request: AnsweredRequest): void {
  const { requestId, ctx, status, durationMs, problem, error, traceparent } = request;
  const { caller, path = redactPath(ctx.path) } = ctx.state;
  const line = {
    request_id: requestId,
    operation: operationOf(ctx.state),
    method: ctx.method,
    path,
    status,
    duration_ms: Math.round(durationMs * 10) / 10,
    account: caller?.account,
    credential: caller?.credential,
    code: problem?.code,
    client_request_id: clientRequestId(ctx.req),
    ...spanNames(traceparent),
  };

  const level = problem?.level ?? 'info';
  log[level](level === 'info' ? line : { ...line, err: error }, 'request');
}

/** The client's own request id; logged, never sent back. */
function clientRequestId({ headers }: IncomingMessage): string | undefined {
  return headers['x-request-id']?.slice(0, 128).toString();
}
