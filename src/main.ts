// The API process: the public API, and GraphQL, health and metrics on the internal port.
//
// It starts in the order of this file: schema, settings, database, live streams and replays, what executes
// operations, then the two listeners. It stops in reverse. A crash loses nothing that was acknowledged: facts
// are in PostgreSQL before a response, and the next poll finds the rows of a wake-up that was not sent.
import type { IncomingMessage } from 'node:http';
import {
  baseUrlWarning,
  loadServiceConfig,
  processEnvironment,
  summarize,
} from './config/config.js';
import { exitOnConfigError } from './process/explain-error.js';
import type { Health } from './process/health.js';
import { Lifecycle, stopTimeouts } from './process/lifecycle.js';
import { createLogger, schemaMismatchLogger } from './process/log.js';
import { openDatabaseWhenReady } from './process/open-database.js';
import { readEngine, readStatus, serviceFacts } from './process/service-status.js';
import { enableSourceMaps } from './process/source-maps.js';
import { waitForStartGate } from './process/start-gate.js';
import { startTelemetry } from './process/telemetry.js';
import { traceCommits } from './process/tracing.js';
import { readVersion } from './process/version.js';
import { apiServerSettings, apiStatementTimeoutMs } from './database/address.js';
import { DatabaseClock } from './database/clock.js';
import { NotificationListener } from './database/connection.js';
import { connectionQuota, createChangeSemaphore } from './database/limits.js';
import { checkPartitions } from './database/partitions.js';
import { getAccount } from './domain/account/accounts.js';
import { credentialChannel } from './domain/account/credentials.js';
import { ReplayWaiters } from './domain/delivery/replay-waiters.js';
import { readReplays, replayChannel, type ReplayResult } from './domain/delivery/replay.js';
import { EventPublisher } from './domain/event/event-publisher.js';
import { randomBase62 } from './domain/values/id.js';
import { SubjectOrder } from './domain/delivery/subject-order.js';
import { sendSignal, type Wakeup } from './domain/transaction/wakeup.js';
import { buildSchema } from './graphql/schema.js';
import { authenticateInternal, createAuthenticators } from './http/authentication.js';
import { clientAddress, warnOnceAboutForwardedFor } from './http/client-address.js';
import { memberStreamAuthenticator, serveDashboard } from './http/dashboard/dashboard.js';
import { serveOperators } from './http/dashboard/operators.js';
import { loadDashboardFiles, operatorFolder } from './http/dashboard/pages.js';
import { portalStreamAuthenticator, servePortal } from './http/dashboard/portal.js';
import {
  loadOperatorDocuments,
  loadPortalDocuments,
  loadKnownDocuments,
} from './http/graphql/document-files.js';
import { internalDocuments } from './http/graphql/generated/known-documents.js';
import { KnownDocuments, runKnownDocuments } from './http/graphql/known-documents.js';
import { lazyGraphQLServer } from './http/graphql/lazy-server.js';
import { internalGraphQLRoute } from './http/graphql/routes.js';
import { serveCheckoutPage } from './http/hosted/checkout.js';
import { serveOfferPage } from './http/hosted/offer.js';
import { PdfRenderer } from './http/pdf/renderer.js';
import { serveInvoices } from './http/pdf/serve-invoices.js';
import { connectRateLimitRedis, RateLimits } from './http/rate-limits.js';
import { createRestRouter } from './http/rest/router.js';
import { compileRoutes } from './http/rest/routes.js';
import { createInternalApp } from './http/server/internal-app.js';
import { listen } from './http/server/listen.js';
import { createMetrics } from './http/server/metrics.js';
import { createPublicApp } from './http/server/public-app.js';
import {
  serveEventSchemas,
  serveOpenApiDocument,
  servePublicKeys,
  serveReferencePages,
} from './http/server/reference-pages.js';
import { createLiveStreams, servePublicStream } from './http/stream/routes.js';
import { createWakeupPublisher } from './queue/producer.js';
import { evictionWarning } from './queue/redis.js';

enableSourceMaps();

// The schema needs neither settings nor a database, so it is built while the launcher creates them.
const schema = buildSchema();
const interpreted: { readonly operation: string; readonly why: string }[] = [];
const routes = compileRoutes(schema, (operation, why) => interpreted.push({ operation, why }));

await waitForStartGate();
const config = exitOnConfigError(loadServiceConfig);
const { baseUrl: origin, databaseUrl, redisUrl, webhooks } = config;
const log = createLogger('api', config.logLevel, config.logFormat);
const lifecycle = new Lifecycle(log, stopTimeouts(webhooks.timeoutMs, config.lameDuckMs).processMs);
lifecycle.watchSignals();

/** From the end of an attempt until its result is stored. */
const outcomeMarginMs = 4_000;
/** A replay waits for one attempt, and for its worker to claim it. This margin covers the request. */
const replayMarginMs = 5_000;

async function start(): Promise<void> {
  log.info({ settings: summarize(processEnvironment) }, 'starting');

  const warning = baseUrlWarning(processEnvironment, config);
  if (warning !== undefined) log.warn(warning);
  for (const operation of interpreted)
    log.warn(operation, 'could not compile a GraphQL operation; it is interpreted');

  const metrics = createMetrics();
  const authenticators = createAuthenticators(config.rateLimit);
  const { authenticator, sessions, portalSessions, operatorSessions } = authenticators;

  // Whoever keeps viewers drops them when a credential or a role changes, in this process or in another.
  const onCredentialsChanged = [authenticators.invalidateAll];
  const credentialsChanged = () => onCredentialsChanged.forEach((notify) => notify());

  // The database and the wake-ups need each other: a commit sends wake-ups, which are signals of PostgreSQL.
  const wakeupPublisher = createWakeupPublisher({
    databaseUrl,
    redisUrl,
    signal: async (kind) => sendSignal(database.read, kind),
    onError: (error) => log.warn({ err: error }, 'the queue failed; retries wait for the poll'),
    onEvicting: (policy) => log.error({ policy }, evictionWarning),
  });

  const subjectOrder = new SubjectOrder({
    database: () => database,
    onError: (error) =>
      log.warn({ err: error }, 'could not advance ordered subjects; workers will'),
  });

  const wake = (wakeups: readonly Wakeup[]) => {
    wakeupPublisher.wake(wakeups);
    subjectOrder.published(wakeups);
  };

  const database = await openDatabaseWhenReady(config, {
    name: 'api',
    log,
    wake: (wakeups: readonly Wakeup[]) => {
      // Each event that a transaction published causes exactly one immediate wake-up.
      metrics.accepted(wakeups.filter(({ kind, at }) => kind === 'due' && !at).length);
      wake(wakeups);
    },
    abandoned: metrics.abandoned,
    credentialsChanged,
    serverSettings: apiServerSettings,
    statementTimeoutMs: apiStatementTimeoutMs,
    poolerUrl: config.poolerUrl,
  });

  const { read } = database;
  lifecycle.onStop('database', () => database.close());

  // Stops before the database: its last signals need a connection.
  lifecycle.onStop('wake-ups', () => wakeupPublisher.close());
  lifecycle.onStop('order of subjects', () => subjectOrder.stop());

  // Each kind of work may use at most this share of the pool, so that none starves the others. In a pool of ten, a
  // stream share is one connection.
  const semaphore = createChangeSemaphore(config.databasePool);
  const quota = (share: number) =>
    connectionQuota({ pool: config.databasePool, database, semaphore }, share);
  const publicQuota = quota(0.8);
  const internalQuota = quota(0.5);
  const pageQuota = quota(1 / 3);
  const dashboardQuota = quota(1 / 3);
  const keyWaitQuota = quota(0.2);
  const streamQuota = quota(0.1);
  const streamCatchUpQuota = quota(0.1);
  const streamSlotQuota = quota(0.1);

  const { tracing } = await startTelemetry('signalpost-api', { metrics, log, lifecycle });

  // Live streams, callers that wait for replays, and the notifications that tell both of changes.
  const streams = createLiveStreams({
    reads: { read: streamQuota.read, catchUpRead: streamCatchUpQuota.read },
    slots: { ...streamSlotQuota, process: randomBase62(16) },
    authenticate: (request) => authenticateInternal({ read, authenticator }, request),
    requireAccount: (account) => getAccount(streamCatchUpQuota.read, account),
    metrics,
    log,
  });
  onCredentialsChanged.push(() => void streams.recheck());

  metrics.setSources({
    depths: () => wakeupPublisher.depths(),
    waiting: () => semaphore.waiting,
    streams: () => streams.status(),
    engine: () => readEngine(read),
    refusedWrites: () => database.writeRefusals.total,
  });

  const replays = new ReplayWaiters<ReplayResult>({
    findEnded: (pendingDeliveryIds) => readReplays(read, pendingDeliveryIds),
    limitMs: webhooks.timeoutMs + outcomeMarginMs,
    onError: (error) => log.warn({ err: error }, 'could not poll for ended replays'),
  });
  const waitForReplay = (pendingDeliveryId: string) => replays.wait(pendingDeliveryId);
  const replayLimitMs = webhooks.timeoutMs + replayMarginMs;

  // While this connection is down, replays are found by polling, and a revoked credential works for up to a second.
  const notifications = new NotificationListener({
    url: databaseUrl,
    channels: {
      [replayChannel]: () => replays.signal(),
      [credentialChannel]: credentialsChanged,
    },
    onError: (error) => log.warn({ err: error }, 'cannot listen for notifications; polling'),
  });
  lifecycle.onStop('notifications', () => notifications.close());

  // What executes operations: rate limits, GraphQL, and the publisher of events.
  const redis =
    redisUrl === undefined
      ? undefined
      : connectRateLimitRedis(redisUrl, (err) =>
          log.debug({ err }, 'Redis is unavailable; this process counts requests by itself'),
        );
  lifecycle.onStop('redis', () => redis?.disconnect());
  const limits = new RateLimits({ perMinute: config.rateLimit, ...(redis && { redis }) });

  const server = lazyGraphQLServer(schema, log, metrics.graphqlError);
  lifecycle.onStop('graphql', () => server.stop());

  const logMismatch = schemaMismatchLogger(log);
  const publisher = new EventPublisher({
    read,
    keyWait: keyWaitQuota.read,
    wake,
    accepted: metrics.accepted,
    committing: tracing && traceCommits(tracing),
    clock: new DatabaseClock(read),
    monotonicMs: () => performance.now(),
    mismatched: (type, issues) => {
      metrics.schemaMismatch(type);
      logMismatch(type, issues);
    },
  });

  const graphql = {
    execute: runKnownDocuments(server.execute),
    limits,
    replayLimitMs,
    report: (error: unknown) => log.error({ err: error }, 'internal error in GraphQL'),
    tracing,
  };

  // The public listener: /v1, live streams, pages that describe the interface, hosted pages, invoices, the dashboard
  // of members, the portals.
  const addressOf = clientAddress(
    config.trustedProxies,
    warnOnceAboutForwardedFor(log, metrics.forwardedFor),
  );
  const pdfRenderer = new PdfRenderer({
    fontFolder: config.pdfFonts,
    onWarning: (message: string) => log.warn(message),
  });
  lifecycle.onStop('PDF renderer', () => pdfRenderer.close());

  const rest = createRestRouter({
    routes: Object.values(routes),
    dependencies: {
      ...publicQuota,
      waitForReplay,
      limits,
      authenticator,
      replay: routes['webhooks.deliveries.replay'],
      replayLimitMs,
    },
    addressOf,
  });

  const publicStream = servePublicStream({
    dependencies: { read: publicQuota.read, authenticator },
    authenticateSession: memberStreamAuthenticator({
      read: dashboardQuota.read,
      sessions,
      origin,
      addressOf,
    }),
    portalAt: portalStreamAuthenticator({
      read: dashboardQuota.read,
      sessions: portalSessions,
      origin,
      addressOf,
    }),
    credentials: routes['webhooks.deliveries.list'].credentials,
    limits,
    addressOf,
    openStream: streams.open,
  });

  const dashboardFiles = await loadDashboardFiles();
  const dashboardGraphQL = {
    ...graphql,
    dependencies: { ...dashboardQuota, waitForReplay, publisher },
    addressOf,
  };

  const dashboard = serveDashboard({
    ...dashboardQuota,
    limits,
    sessions,
    authenticator,
    origin,
    addressOf,
    files: dashboardFiles,
    openId: config.openId && {
      ...config.openId,
      onError: (err: unknown) => log.warn({ err }, 'could not sign in at the OpenID provider'),
    },
    graphql: {
      ...dashboardGraphQL,
      documents: new KnownDocuments(schema, await loadKnownDocuments()),
    },
  });

  const portal = servePortal({
    ...dashboardQuota,
    limits,
    sessions: portalSessions,
    origin,
    addressOf,
    files: dashboardFiles,
    graphql: {
      ...dashboardGraphQL,
      documents: new KnownDocuments(schema, await loadPortalDocuments()),
    },
  });

  const hostedPages = { ...pageQuota, limits, origin, addressOf };
  const publicApp = createPublicApp({
    rest,
    middlewares: [
      publicStream,
      serveReferencePages(origin),
      serveEventSchemas({ read: pageQuota.read, limits, origin, addressOf }),
      servePublicKeys({ read: pageQuota.read, limits, addressOf }),
      serveOpenApiDocument({ limits, origin, version: readVersion(), addressOf }),
      serveCheckoutPage({ ...hostedPages, sandbox: config.sandboxPayments }),
      serveInvoices({ read: pageQuota.read, limits, pdfRenderer, addressOf }),
      serveOfferPage(hostedPages),
      dashboard,
      portal,
    ],
    origin,
    log,
    observe: metrics.observe,
    tracing,
  });

  // The internal listener: GraphQL, the pages of operators, streams, health, metrics.
  const health: Health = {
    stopping: () => lifecycle.stopping,
    required: { postgresql: () => database.ping() },
    optional: {
      queue: () => wakeupPublisher.depths(),
      partitions: () => checkPartitions(read),
      writes: () => database.checkWrites(),
      ...(redis && { redis: () => redis.ping() }),
    },
  };

  const status = { read, health, depths: () => wakeupPublisher.depths() };
  const internalGraphQL = {
    ...graphql,
    dependencies: {
      ...internalQuota,
      serviceFacts: serviceFacts(status),
      waitForReplay,
      publisher,
    },
  };

  // Clients of the internal listener connect without a trusted proxy.
  const peerAddress = (request: IncomingMessage) => request.socket.remoteAddress ?? '';
  const operators = serveOperators({
    ...internalQuota,
    limits,
    sessions: operatorSessions,
    origin,
    addressOf: peerAddress,
    authenticator,
    files: await loadDashboardFiles(operatorFolder),
    graphql: {
      ...internalGraphQL,
      addressOf: peerAddress,
      documents: new KnownDocuments(schema, await loadOperatorDocuments()),
    },
  });

  const internalApp = createInternalApp({
    graphql: internalGraphQLRoute({
      ...internalGraphQL,
      authenticator,
      documents: new KnownDocuments(schema, internalDocuments),
      countError: metrics.graphqlError,
    }),
    operators,
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
    Promise.all(listeners.map((listener) => listener.drain(config.lameDuckMs))),
  );
  lifecycle.ready({ rest: publicListener.address, internal: internalListener.address });
}

start().catch((error: unknown) => lifecycle.fail(error));
