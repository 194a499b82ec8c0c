import { enableSourceMaps } from './process/source-maps.js';
import { baseUrlWarning } from './config/base-url-warning.js';
import { loadServiceConfig, processEnvironment, summarize } from './config/config.js';
import { apiServerSettings, apiStatementTimeoutMs } from './database/api-server-settings.js';
import { connectionQuota } from './database/connection-share.js';
import { createChangeSemaphore } from './database/change-semaphore.js';
import { sendSignal, type Wakeup } from './domain/wakeup.js';
import { PdfRenderer } from './http/pdf/renderer.js';
import { exitOnConfigError } from './process/explain-error.js';
import { warnOnceAboutForwardedFor } from './http/client-address.js';
import { internalDocuments } from './graphql/generated/known-documents.js';
import { KnownDocuments, runKnownDocuments } from './graphql/known-documents.js';
import { lazyGraphQLServer } from './graphql/lazy-server.js';
import { buildSchema } from './graphql/schema.js';
import { loadDashboardFiles } from './http/dashboard/pages.js';
import {
  loadOperatorDocuments,
  loadPortalDocuments,
  loadKnownDocuments,
} from './http/graphql/document-files.js';
import { startTelemetry } from './process/start-telemetry.js';
import { waitForStartGate } from './process/start-gate.js';
import { internalGraphQLRoute } from './http/graphql/routes.js';
import { createInternalApp } from './http/server/internal-app.js';
import { listen } from './http/server/listen.js';
import { createMetrics } from './http/server/metrics.js';
import { createPublicApp } from './http/server/public-app.js';
import { authenticateInternal } from './http/authentication.js';
import { apiHealth } from './process/api-health.js';
import { createAuthenticators } from './process/create-authenticators.js';
import { createOperators } from './process/create-operators.js';
import { createPublisher } from './process/create-publisher.js';
import { createStreams } from './process/create-streams.js';
import { Lifecycle } from './process/lifecycle.js';
import { listenForNotifications } from './process/listen-for-notifications.js';
import { createLogger } from './process/log.js';
import { evictionWarning } from './queue/eviction.js';
import { createWakeupPublisher } from './queue/queues.js';
import { createReplayWaiters } from './process/create-replay-waiters.js';
import { createRateLimits } from './process/create-rate-limits.js';
import { readEngine, readStatus, serviceFacts } from './process/service-status.js';
import { compileRoutes } from './http/rest/routes.js';
import { openDatabaseWhenReady } from './process/open-database.js';
import { stopTimeouts } from './process/stop-timeouts.js';
import { readVersion } from './process/version.js';

// The API process: the public API, and GraphQL, health and metrics on the internal port.
//
// It starts in the order of this file: schema, settings, database, what authenticates and limits, events and
// streams, then the two listeners. It stops in reverse. A crash loses nothing that was acknowledged: facts
// are in PostgreSQL before a response, and a wake-up that was not sent is found by the next poll.
enableSourceMaps();

// Needs neither settings nor a database: the launcher may still be creating both.
const schema = buildSchema();
const interpreted: { readonly operation: string; readonly why: string }[] = [];
const routes = compileRoutes(schema, (operation, why) => interpreted.push({ operation, why }));

await waitForStartGate();
const config = exitOnConfigError(loadServiceConfig);
const { baseUrl: origin, databaseUrl, redisUrl, trustedProxies } = config;
const log = createLogger('api', config.logLevel, config.logFormat);
const lifecycle = new Lifecycle(
  log,
  stopTimeouts(config.webhooks.timeoutMs, config.lameDuckMs).processMs,
);
lifecycle.watchSignals();

/** A replay waits for one attempt, and for its worker to claim it. This margin covers the request. */
const replayMarginMs = 5_000;

/** Each may take at most this share of the connections to PostgreSQL, so that none blocks the others. */
const publicShare = 0.8;
const internalShare = 0.5;
const pagesShare = 1 / 3;
const keyWaitShare = 0.2;

async function start(): Promise<void> {
  log.info({ settings: summarize(processEnvironment) }, 'starting');

  const warning = baseUrlWarning(processEnvironment, config);
  if (warning !== undefined) log.warn(warning);
  for (const operation of interpreted)
    log.warn(operation, 'could not compile a GraphQL operation; it is interpreted');

  // Wake-ups, metrics, and the database that causes both.
  const waker = createWakeupPublisher({
    databaseUrl,
    redisUrl,
    signal: async (kind) => sendSignal(database.read, kind),
    onError: (error) => log.warn({ err: error }, 'the queue failed; retries wait for the poll'),
    onEvicting: (policy) => log.error({ policy }, evictionWarning),
  });

  const semaphore = createChangeSemaphore(config.databasePool);
  const metrics = createMetrics({
    depths: () => waker.depths(),
    waiting: () => semaphore.waiting,
    streams: () => streams.hub.status,
    engine: () => readEngine(database.read),
    refusedWrites: () => database.writeRefusals.total,
  });

  const authenticators = createAuthenticators(config.rateLimit);
  const { authenticator } = authenticators;
  const credentialsChanged = () => {
    authenticators.invalidateAll();
    void streams.hub.recheck();
  };

  const database = await openDatabaseWhenReady(config, {
    name: 'api',
    log,
    wake: (wakeups: readonly Wakeup[]) => {
      // Each event that a transaction published causes exactly one immediate wake-up.
      metrics.accepted(wakeups.filter(({ kind, at }) => kind === 'due' && !at).length);
      waker.wake(wakeups);
    },
    abandoned: metrics.abandoned,
    credentialsChanged,
    serverSettings: apiServerSettings,
    statementTimeoutMs: apiStatementTimeoutMs,
    poolerUrl: config.poolerUrl,
  });

  const { read } = database;

  lifecycle.onStop('database', () => database.close());

  // It stops before the database, through which its last signals go.
  lifecycle.onStop('waker', () => waker.close());

  const { tracing } = await startTelemetry('signalpost-api', { metrics, log, lifecycle });

  // Live streams, callers that wait for replays, and what tells both of changes.
  const shared = { pool: config.databasePool, database, semaphore };
  const streams = createStreams({
    shared,
    log,
    onCut: metrics.streamCut,
    countResumed: metrics.streamResumed,
    authenticateInternal: (request) => authenticateInternal({ read, authenticator }, request),
  });

  const replays = createReplayWaiters(read, config.webhooks.timeoutMs, log);
  const waitForReplay = (pendingDeliveryId: string) => replays.wait(pendingDeliveryId);
  const replayLimitMs = config.webhooks.timeoutMs + replayMarginMs;
  const notifications = listenForNotifications(databaseUrl, log, {
    replayEnded: () => replays.signal(),
    credentialsChanged,
  });

  lifecycle.onStop('notifications', () => notifications.close());

  // What executes operations: GraphQL, and the publisher of events.
  const { redis, limits } = createRateLimits(config, log, lifecycle);
  const server = lazyGraphQLServer(schema, log, metrics.graphqlError);
  lifecycle.onStop('graphql', () => server.stop());

  const publisher = createPublisher({
    read,
    keyWait: connectionQuota(shared, keyWaitShare).read,
    wake: waker.wake,
    metrics,
    log,
    tracing,
  });

  const operations = {
    execute: runKnownDocuments(server.execute),
    authenticator,
    replayLimitMs,
    report: (error: unknown) => log.error({ err: error }, 'internal error in GraphQL'),
    tracing,
  };

  // The public listener: /v1, the dashboard, the portal, hosted pages, invoices, streams.
  const pdfRenderer = new PdfRenderer({
    fontFolder: config.pdfFonts,
    onWarning: (message: string) => log.warn(message),
  });

  lifecycle.onStop('PDF renderer', () => pdfRenderer.close());

  const dashboard = connectionQuota(shared, pagesShare);
  const publicApp = createPublicApp({
    routes: Object.values(routes),
    dependencies: {
      ...connectionQuota(shared, publicShare),
      waitForReplay,
      limits,
      authenticator,
      replay: routes['webhooks.deliveries.replay'],
      replayLimitMs,
    },
    pageDatabase: connectionQuota(shared, pagesShare),
    pdfRenderer,
    origin,
    trustedProxies,
    log,
    observe: metrics.observe,
    tracing,
    version: readVersion(),
    dashboard: {
      ...dashboard,
      sessions: authenticators.sessions,
      portalSessions: authenticators.portalSessions,
      files: await loadDashboardFiles(),
      openId: config.openId && {
        ...config.openId,
        onError: (err: unknown) => log.warn({ err }, 'could not sign in at the OpenID provider'),
      },
      graphql: {
        ...operations,
        dependencies: { ...dashboard, waitForReplay, publisher },
        documents: new KnownDocuments(schema, await loadKnownDocuments()),
      },
      portalDocuments: new KnownDocuments(schema, await loadPortalDocuments()),
    },
    openStream: streams.open,
    sandbox: config.sandboxPayments,
    webhookCredentials: routes['webhooks.deliveries.list'].credentials,
    onForwardedForProblem: warnOnceAboutForwardedFor(log, metrics.forwardedFor),
  });

  // The internal listener: GraphQL, the pages of operators, streams, health, metrics.
  const internal = connectionQuota(shared, internalShare);
  const health = apiHealth({ lifecycle, database, redis, waker });
  const status = { read, health, depths: () => waker.depths() };
  const internalOperations = {
    ...operations,
    dependencies: {
      ...internal,
      serviceFacts: serviceFacts(status),
      waitForReplay,
      publisher,
    },
  };

  const internalApp = createInternalApp({
    graphql: internalGraphQLRoute({
      ...internalOperations,
      limits,
      documents: new KnownDocuments(schema, internalDocuments),
      countError: metrics.graphqlError,
    }),
    operators: await createOperators({
      ...internal,
      limits,
      origin,
      sessions: authenticators.operatorSessions,
      graphql: internalOperations,
      documents: new KnownDocuments(schema, await loadOperatorDocuments()),
    }),
    stream: streams.internal,
    health,
    metrics,
    origin,
    log,
    tracing,
    status: () => readStatus(status),
    hosts: config.internalHosts,
  });

  const internalListener = await listen(internalApp, {
    host: config.internalHost,
    port: config.internalPort,
    origin,
    log,
  });

  lifecycle.onStop('internal listener', () => internalListener.close());

  const publicListener = await listen(publicApp, {
    host: config.host,
    port: config.port,
    origin,
    log,
  });

  lifecycle.onStop('public listener', () => publicListener.close());

  // Runs before the listeners close. The workers may be stopping too; a retry with the same
  // Idempotency-Key gets the result later.
  lifecycle.onStop('callers of replays', () => replays.close());
  lifecycle.onStop('streams', () => streams.close());

  // Runs first: /readyz already answers 503, and load balancers need time to notice.
  const listeners = [publicListener, internalListener];
  lifecycle.onStop('lame duck', () =>
    Promise.all(listeners.map((each) => each.drain(config.lameDuckMs))),
  );
  lifecycle.ready({ rest: publicListener.address, internal: internalListener.address });
}

start().catch((error: unknown) => lifecycle.fail(error));
