// The internal listener: GraphQL, the pages of operators, live streams, health, status and metrics. It is a separate
// listener, so that no rule of a proxy can expose it. As on the public one, every request passes one boundary, which
// gives it an id and a deadline, logs it, and turns errors into Problems. Health, status and metrics need no credential;
// status and metrics answer only under internal host names, so that no web page can read them by DNS rebinding.
import type { RequestListener } from 'node:http';
import { makeId } from '../../domain/values/id.js';
import {
  checkHealth,
  foreignHostDetail,
  type Health,
  isInternalHost,
} from '../../process/health.js';
import { type Logger, redactPath } from '../../process/log.js';
import { parseTraceparent, unsampled, spanNames, type Tracing } from '../../process/tracing.js';
import {
  Deadline,
  jsonReply,
  type StreamedReply,
  type RequestState,
  type Reply,
  commonHeaders,
  send,
  sendStreamed,
} from '../exchange.js';
import type { GraphQLExchange } from '../graphql/routes.js';
import { toProblem, ApiError } from '../problems.js';
import type { InternalStreamExchange } from '../stream/routes.js';
import { logKoaError, rejectAmbiguousRequest } from './listen.js';
import type { Metrics } from './metrics.js';

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
  const app = new Koa();
  app.on('error', logKoaError(log));

  app.use(async (ctx, next) => {
    const startedAt = performance.now();
    const requestId = makeId('req', new Date());
    const state = ctx.state as RequestState;
    const deadline = (state.deadline = new Deadline(ctx.req));
    const parent = parseTraceparent(ctx.req.headers['traceparent']);
    const span =
      ctx.path === '/graphql' && ctx.method === 'POST'
        ? tracing?.begin({ name: 'POST /graphql', kind: 'server', parent })
        : undefined;

    // Workers record what the flag says, so it says what the sampler decided.
    const kept = tracing && parent ? unsampled(parent) : parent;
    state.traceparent = span?.traceparent ?? kept;

    try {
      rejectAmbiguousRequest(ctx.req);
      await deadline.enforce(next() as Promise<unknown>);
      if (!state.streamed && !state.reply) throw new Error('No handler wrote a response.');
    } catch (error) {
      const { status, headers, text, level } = toProblem(error, origin, requestId);
      if (level !== 'info') log[level]({ err: error, request_id: requestId }, 'request failed');
      delete state.streamed;
      state.reply = { status, headers, text };
    }

    ctx.respond = false;

    const common = commonHeaders(requestId);

    if (state.streamed) sendStreamed(ctx.res, state.streamed, common);
    else if (state.reply)
      send(ctx.res, state.reply, [common, state.headers], ctx.method === 'HEAD');

    const duration_ms = Math.round((performance.now() - startedAt) * 10) / 10;
    const { caller } = state;
    const { trace_id, span_id } = spanNames(span?.traceparent);

    // Each member by its name: spreading objects takes several microseconds.
    const line = {
      request_id: requestId,
      path: redactPath(ctx.path),
      status: ctx.status,
      duration_ms,
      account: caller?.account,
      credential: caller?.credential,
      kind: caller?.kind,
      operation: state.document,
      trace_id,
      span_id,
    };

    span?.end({
      failed: ctx.status >= 500,
      attributes: {
        'http.request.method': ctx.method,
        'http.response.status_code': ctx.status,
        'signalpost.request': requestId,
        'graphql.operation.name': state.document,
      },
    });

    // Probes arrive every few seconds.
    if (loggedPaths.has(ctx.path)) log.info(line, 'request');
    else log.debug(line, 'request');
  });

  app.use(operators as Koa.Middleware);

  app.use(async (ctx) => {
    const state = ctx.state as RequestState;
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
