// The internal listener: GraphQL, the pages of operators, live streams, health, status and metrics. It is a separate
// listener, so that no rule of a proxy can expose it. As on the public one, every request passes the boundary
// (request-boundary.ts). Health, status and metrics need no credential; status and metrics answer only under internal
// host names, so that no web page can read them by DNS rebinding.
import type { RequestListener } from 'node:http';
import { checkHealth, type Health } from '../../process/health.js';
import { foreignHostDetail, isInternalHost } from '../../process/internal-host.js';
import { type Logger, redactPath } from '../../process/log.js';
import { spanNames, type Tracing } from '../../process/tracing.js';
import { jsonReply, type StreamedReply, type RequestState, type Reply } from '../exchange.js';
import type { GraphQLExchange } from '../graphql/routes.js';
import { ApiError } from '../problems.js';
import type { InternalStreamExchange } from '../stream/routes.js';
import { logKoaError } from './listen.js';
import type { Metrics } from './metrics.js';
import { type AnsweredRequest, requestBoundary } from './request-boundary.js';

import Koa = require('koa');

interface InternalAppOptions {
  readonly graphql: (exchange: GraphQLExchange) => Promise<Reply>;
  /** Serves the pages of operators. */
  readonly operators: Koa.Middleware<RequestState>;
  readonly stream: (exchange: InternalStreamExchange) => Promise<StreamedReply>;
  readonly health: Health;
  readonly metrics: Metrics;
  /** What `/status` answers. */
  readonly status: () => Promise<unknown>;
  /** Further names under which metrics and status answer. */
  readonly hosts: readonly string[];
  readonly origin: string;
  readonly log: Logger;
  readonly tracing: Tracing | undefined;
}

/** The others are probes and files of pages, and are logged at debug level. */
const loggedPaths = new Set(['/graphql', '/stream', '/dashboard/session', '/dashboard/graphql']);

/** Serves the internal listener. */
export function createInternalApp(options: InternalAppOptions): RequestListener {
  const { graphql, operators, stream, health, metrics, status, hosts } = options;
  const { origin, log, tracing } = options;
  const app = new Koa<RequestState>();
  app.on('error', logKoaError(log));

  app.use(
    requestBoundary({
      origin,
      isSecure: false,
      tracing,
      continuesTraces: true,
      spanName: ({ path, method }) =>
        path === '/graphql' && method === 'POST' ? 'POST /graphql' : undefined,
      describeSpan: ({ ctx: { state } }) => ({
        attributes: { 'graphql.operation.name': state.document },
      }),
      record: (request) => logRequest(log, request),
    }),
  );

  app.use(operators);

  app.use(async (ctx) => {
    const { state } = ctx;
    // Both answer without a credential.
    const isOpen = ctx.path === '/status' || ctx.path === '/metrics';
    if (isOpen && !isInternalHost(ctx.req.headers.host, hosts)) {
      throw new ApiError('forbidden', foreignHostDetail);
    }

    switch (ctx.path) {
      case '/graphql':
        state.reply = await graphql({ req: ctx.req, state });
        break;
      case '/stream':
        state.streamed = await stream(ctx);
        break;
      case '/livez':
        state.reply = jsonReply(200, { status: 'live' });
        break;
      case '/readyz': {
        const { ready, dependencies } = await checkHealth(health);
        const body = { status: ready ? 'ready' : 'not ready', dependencies };
        state.reply = jsonReply(ready ? 200 : 503, body);
        break;
      }
      case '/status':
        state.reply = jsonReply(200, await status());
        break;
      case '/metrics':
        state.reply = {
          status: 200,
          headers: { 'Content-Type': metrics.contentType },
          text: await metrics.print(),
        };
        break;
      default:
        throw new ApiError('not_found', 'No such path.');
    }
  });

  const listener = app.callback();
  return (request, response) => void listener(request, response);
}

/** Logs an error of the service, and then one line for the request. */
function logRequest(log: Logger, request: AnsweredRequest): void {
  const { requestId, ctx, status, durationMs, problem, error, traceparent } = request;
  if (problem && problem.level !== 'info') {
    log[problem.level]({ err: error, request_id: requestId }, 'request failed');
  }

  const { caller, document } = ctx.state;
  const { trace_id, span_id } = spanNames(traceparent);

  // Each member by its name: spreading objects takes several microseconds.
  const line = {
    request_id: requestId,
    path: redactPath(ctx.path),
    status,
    duration_ms: Math.round(durationMs * 10) / 10,
    account: caller?.account,
    credential: caller?.credential,
    kind: caller?.kind,
    operation: document,
    trace_id,
    span_id,
  };

  // Probes arrive every few seconds.
  if (loggedPaths.has(ctx.path)) log.info(line, 'request');
  else log.debug(line, 'request');
}
