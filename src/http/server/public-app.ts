// The public listener: `/v1`, the dashboard, the portals, hosted pages, invoices, live streams, and the pages that Problems
// and events link to.
//
// Every request passes one boundary, which gives it an id and a deadline, logs one line, and turns whatever is thrown into
// a Problem, or into a page where a person asked. What follows sets `ctx.state`: a reply, or a stream. `/v1` comes
// first, because most requests are for it. A crash loses responses only: the client repeats its request, and gets what
// was committed under the same key.
import type { IncomingMessage, RequestListener } from 'node:http';
import { makeId } from '../../domain/values/id.js';
import { type Logger, redactPath } from '../../process/log.js';
import { spanNames, type Tracing } from '../../process/tracing.js';
import { clientAddress, type ForwardedForProblem } from '../client-address.js';
import { type DashboardOptions, serveDashboard } from '../dashboard/dashboard.js';
import { type PortalOptions, portalStreamAuthenticator, servePortal } from '../dashboard/portal.js';
import { streamAuthenticator } from '../dashboard/sessions.js';
import {
  Deadline,
  type Reply,
  type RequestState,
  commonHeaders,
  send,
  sendStreamed,
} from '../exchange.js';
import { serveCheckoutPage } from '../hosted/checkout.js';
import { serveOfferPage } from '../hosted/offer.js';
import type { PdfRenderer } from '../pdf/renderer.js';
import { serveInvoices } from '../pdf/serve-invoices.js';
import { type Problem, toProblem } from '../problems.js';
import { createRestRouter } from '../rest/router.js';
import type { Dependencies } from '../rest/execute.js';
import type { Route } from '../rest/routes.js';
import { servePublicStream, type OpenStream } from '../stream/routes.js';
import { logKoaError, rejectAmbiguousRequest } from './listen.js';
import type { Observe } from './metrics.js';
import { serveOpenApiDocument, serveEventSchemas, serveReferencePages } from './reference-pages.js';

import Koa = require('koa');

export interface PublicAppOptions {
  readonly routes: readonly Route[];
  readonly dependencies: Dependencies;
  /** Separate database access for pages and documents, so that they cannot take all connections. */
  readonly pageDatabase: Pick<Dependencies, 'read' | 'transact'>;
  readonly dashboard: Omit<DashboardOptions & PortalOptions, 'limits' | 'origin' | 'addressOf'>;
  /** Prefix of Problem types and schema ids, without a trailing slash. */
  readonly origin: string;
  /** The version of this release. */
  readonly version: string;
  readonly pdfRenderer: PdfRenderer;
  readonly openStream: OpenStream;
  /** The kinds of credential that read webhooks. */
  readonly webhookCredentials: readonly string[];
  /** Whether the checkout page offers the sandbox method, which moves no money. */
  readonly sandbox: boolean;
  readonly trustedProxies: number;
  /** Called for each request whose X-Forwarded-For is not used. */
  readonly onForwardedForProblem: (problem: ForwardedForProblem) => void;
  readonly log: Logger;
  readonly observe: Observe;
  readonly tracing: Tracing | undefined;
}

/** Serves the public listener. Under `/v1` it serves only the contract. */
export function createPublicApp(options: PublicAppOptions): RequestListener {
  const { routes, dependencies, pageDatabase, origin, version, sandbox, log } = options;
  const pageDependencies = { ...dependencies, ...pageDatabase };
  const addressOf = clientAddress(options.trustedProxies, options.onForwardedForProblem);
  const app = new Koa<RequestState>();

  // A last resort: errorBoundary handles errors of all later middleware.
  app.on('error', logKoaError(log));

  const contract = createRestRouter({ routes, dependencies, addressOf });
  app.use(errorBoundary(options));

  // Most requests are for /v1: they skip the other middleware.
  app.use((ctx, next): Promise<void> => {
    return ctx.path.startsWith('/v1/') ? (contract(ctx, next) as Promise<void>) : next();
  });

  app.use(
    servePublicStream({
      dependencies,
      limits: dependencies.limits,
      addressOf,
      credentials: options.webhookCredentials,
      openStream: options.openStream,
      authenticateSession: streamAuthenticator({ ...options.dashboard, origin, addressOf }),
      portalAt: portalStreamAuthenticator({ ...options.dashboard, origin, addressOf }),
    }),
  );

  app.use(serveReferencePages(origin));
  app.use(
    serveEventSchemas({ read: pageDatabase.read, limits: dependencies.limits, origin, addressOf }),
  );
  app.use(serveOpenApiDocument({ ...dependencies, origin, version, addressOf }));
  app.use(serveCheckoutPage({ ...pageDependencies, origin, sandbox, addressOf }));
  app.use(serveInvoices({ ...pageDependencies, pdfRenderer: options.pdfRenderer, addressOf }));
  app.use(serveOfferPage({ ...pageDependencies, origin, addressOf }));

  const dashboard = { ...options.dashboard, limits: dependencies.limits, origin, addressOf };
  app.use(serveDashboard(dashboard));
  app.use(servePortal(dashboard));
  app.use(contract);

  const listener = app.callback();
  return (request, response) => void listener(request, response);
}

/** Adds the request id, logs one line per request, and turns each error into a Problem. */
function errorBoundary({
  origin,
  log,
  observe,
  tracing,
}: PublicAppOptions): Koa.Middleware<RequestState> {
  const isSecure = origin.startsWith('https:');
  return async (ctx, next) => {
    const startedAt = performance.now();
    const requestId = makeId('req', new Date());

    ctx.respond = false;

    // A client outside does not decide what is recorded.
    const span = tracing?.begin({ name: ctx.method, kind: 'server' });
    ctx.state.traceparent = span?.traceparent;

    const deadline = (ctx.state.deadline = new Deadline(ctx.req));
    let reply: Reply;
    let thrown: unknown;
    let level: Problem['level'] = 'info';
    try {
      rejectAmbiguousRequest(ctx.req);
      await deadline.enforce(next() as Promise<unknown>);
      reply = replyOf(ctx.state);
    } catch (error) {
      thrown = error;
      const problem = toProblem(error, origin, requestId);
      ({ level } = problem);
      reply = { ...problem, ...ctx.state.renderProblem?.(problem) };
    }

    const common = commonHeaders(requestId, isSecure);
    const { streamed, caller, headers, operation = 'none' } = ctx.state;
    if (streamed && thrown === undefined) sendStreamed(ctx.res, streamed, common);
    else send(ctx.res, reply, [common, headers], ctx.method === 'HEAD');

    const durationMs = performance.now() - startedAt;
    observe(operation, reply.status, durationMs / 1_000);

    const line = {
      request_id: requestId,
      operation,
      method: ctx.method,
      path: ctx.state.path ?? redactPath(ctx.path),
      status: reply.status,
      duration_ms: Math.round(durationMs * 10) / 10,
      account: caller?.account,
      credential: caller?.credential,
      code: 'code' in reply ? reply.code : undefined,
      client_request_id: clientRequestId(ctx.req),
      ...spanNames(span?.traceparent),
    };

    span?.end({
      name: operation === 'none' ? ctx.method : operation,
      failed: reply.status >= 500,
      attributes: {
        'http.request.method': ctx.method,
        'http.response.status_code': reply.status,
        'signalpost.request': requestId,
        'signalpost.account': caller?.account,
      },
    });

    log[level](level === 'info' ? line : { ...line, err: thrown }, 'request');
  };
}

function replyOf({ reply, streamed }: RequestState): Reply {
  if (reply) return reply;
  if (streamed) return { ...streamed, text: null };
  throw new Error('No handler set a response.');
}

/** The client's own request id; logged, never sent back. */
function clientRequestId({ headers }: IncomingMessage): string | undefined {
  return headers['x-request-id']?.slice(0, 128).toString();
}
