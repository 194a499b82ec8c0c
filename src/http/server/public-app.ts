// The public listener: `/v1`, the dashboard, the portals, hosted pages, invoices, live streams, and the pages that Problems
// and events link to.
//
// Every request passes the boundary (request-boundary.ts), and then what serves its path, which sets `ctx.state`: a
// reply, or a stream. `/v1` comes first, because most requests are for it. A crash loses responses only: the client
// repeats its request, and gets what was committed under the same key.
import type { IncomingMessage, RequestListener } from 'node:http';
import { type Logger, redactPath } from '../../process/log.js';
import { spanNames, type Tracing } from '../../process/tracing.js';
import { clientAddress, type ForwardedForProblem } from '../client-address.js';
import { type DashboardOptions, serveDashboard } from '../dashboard/dashboard.js';
import { type PortalOptions, portalStreamAuthenticator, servePortal } from '../dashboard/portal.js';
import { streamAuthenticator } from '../dashboard/sessions.js';
import type { RequestState } from '../exchange.js';
import { serveCheckoutPage } from '../hosted/checkout.js';
import { serveOfferPage } from '../hosted/offer.js';
import type { PdfRenderer } from '../pdf/renderer.js';
import { serveInvoices } from '../pdf/serve-invoices.js';
import { createRestRouter } from '../rest/router.js';
import type { Dependencies } from '../rest/execute.js';
import type { Route } from '../rest/routes.js';
import { servePublicStream, type OpenStream } from '../stream/routes.js';
import { logKoaError } from './listen.js';
import type { Observe } from './metrics.js';
import { type AnsweredRequest, requestBoundary } from './request-boundary.js';
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
  const { routes, dependencies, pageDatabase, origin, version, sandbox } = options;
  const { log, observe, tracing } = options;
  const pageDependencies = { ...dependencies, ...pageDatabase };
  const addressOf = clientAddress(options.trustedProxies, options.onForwardedForProblem);
  const app = new Koa<RequestState>();

  // A last resort: the boundary handles errors of all later middleware.
  app.on('error', logKoaError(log));

  const contract = createRestRouter({ routes, dependencies, addressOf });
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
