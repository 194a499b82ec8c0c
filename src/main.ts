import { enableSourceMaps } from './process/source-maps.js';
import { baseUrlWarning } from './config/base-url-warning.js';
import { loadServiceConfig, processEnvironment, summarize } from './config/config.js';
import { apiServerSettings, apiStatementTimeoutMs } from './database/api-server-settings.js';
import { connectionShare } from './database/connection-share.js';
import { createChangeSemaphore } from './database/change-semaphore.js';
import { sendSignal } from './domain/send-signal.js';
import type { Wakeup } from './domain/wakeup.js';
import { PdfRenderer } from './pdf/pdf-renderer.js';
import { orExit } from './process/explain-error.js';
import { warnOnceAboutForwardedFor } from './http/forwarded-for-warning.js';
import { graphqlHandler } from './graphql/handler.js';
import { lazyGraphQLServer } from './graphql/lazy-server.js';
import { buildSchema } from './graphql/schema.js';
import { loadDashboardFiles } from './dashboard-server/dashboard-files.js';
import { loadPortalDocuments, loadTrustedDocuments } from './dashboard-server/trusted-documents.js';
import { startTelemetry } from './process/start-telemetry.js';
import { waitForStartGate } from './process/start-gate.js';
import { createInternalApp } from './http/internal-app.js';
import { listen } from './http/listen.js';
import { createMetrics } from './http/metrics.js';
import { createPublicApp } from './http/public-app.js';
import { createLargeBodyLimit, maxConcurrentOperations } from './api/internal-limits.js';
import { apiHealth } from './process/api-health.js';
import { createAuthenticators } from './process/create-authenticators.js';
import { createOperators } from './process/create-operators.js';
import { createPublisher } from './process/create-publisher.js';
import { createStreams } from './process/create-streams.js';
import { authenticate } from './graphql/admission.js';
import { Lifecycle } from './process/lifecycle.js';
import { listenForNotifications } from './process/listen-for-notifications.js';
import { createLogger } from './process/log.js';
import { evictionWarning } from './queue/eviction.js';
import { createWaker } from './queue/queues.js';
import { internalBodyReader } from './api/json-body.js';
import { createReplayWaiters } from './process/create-replay-waiters.js';
import { createRateLimits } from './process/create-rate-limits.js';
import { readEngine, readStatus, serviceFacts } from './process/service-status.js';
import { compileRoutes } from './rest/routes.js';
import { openDatabaseWhenReady } from './process/open-database.js';
import { stopTimeouts } from './process/stop-timeouts.js';
import { readVersion } from './process/version.js';

// The API process: the public API, and GraphQL, health and metrics on the internal port.
enableSourceMaps();
// Runs first what needs neither settings nor a database: the launcher may still be creating both.
const schema = buildSchema();
const interpreted: { readonly operation: string; readonly why: string }[] = [];
const routes = compileRoutes(schema, (operation, why) => interpreted.push({ operation, why }));
await waitForStartGate();
const config = orExit(loadServiceConfig);
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
  for (const each of interpreted)
    log.warn(each, 'could not compile a GraphQL operation; it is interpreted');
  const { databaseUrl, redisUrl, baseUrl: origin } = config;

  const waker = createWaker({
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
  const wake = (wakeups: readonly Wakeup[]) => {
    // Each event that a transaction published causes exactly one immediate wake-up.
    metrics.accepted(wakeups.filter(({ kind, at }) => kind === 'due' && !at).length);
    waker.wake(wakeups);
  };
  const { abandoned, observe } = metrics;
  const authenticators = createAuthenticators(config.rateLimit);
  const { authenticator, sessions, portalSessions } = authenticators;
  const credentialsChanged = () => {
    authenticators.invalidateAll();
    void streams.hub.recheck();
  };
  const database = await openDatabaseWhenReady(config, {
    name: 'api',
    log,
    wake,
    abandoned,
    credentialsChanged,
    serverSettings: apiServerSettings,
    statementTimeoutMs: apiStatementTimeoutMs,
    poolerUrl: config.poolerUrl,
  });
  lifecycle.onStop('database', () => database.close());
  // It stops before the database, through which its last signals go.
  lifecycle.onStop('waker', () => waker.close());
  const { tracing } = await startTelemetry('signalpost-api', { metrics, log, lifecycle });
  const { read } = database;
  const shared = { pool: config.databasePool, database, semaphore };
  const streams = createStreams({
    shared,
    log,
    onCut: metrics.streamCut,
    countResumed: metrics.streamResumed,
    authenticateInternal: (request) => authenticate(request, { read, authenticator }),
  });
  const pageDatabase = connectionShare(shared, pagesShare);
  const replays = createReplayWaiters(read, config.webhooks.timeoutMs, log);
  const listener = listenForNotifications(databaseUrl, log, {
    replayEnded: () => replays.signal(),
    credentialsChanged,
  });
  lifecycle.onStop('notifications', () => listener.close());

  const { redis, limits } = createRateLimits(config, log, lifecycle);
  const waitForReplay = (pendingDeliveryId: string) => replays.wait(pendingDeliveryId);
  const replayLimitMs = config.webhooks.timeoutMs + replayMarginMs;
  const replay = routes['webhooks.deliveries.replay'];
  const v1 = connectionShare(shared, publicShare);
  const dependencies = { ...v1, waitForReplay, limits, authenticator, replay, replayLimitMs };
  const server = lazyGraphQLServer(schema, log, metrics.graphqlError);
  lifecycle.onStop('graphql', () => server.stop());
  const keyWait = connectionShare(shared, keyWaitShare).read;
  const publisher = createPublisher({
    read,
    keyWait,
    wake: waker.wake,
    metrics,
    log,
    tracing,
  });
  const report = (error: unknown) => log.error({ err: error }, 'internal error in GraphQL');
  const operations = { execute: server.execute, authenticator, replayLimitMs, report, tracing };
  const { trustedProxies } = config;
  const onWarning = (message: string) => log.warn(message);
  const pdfRenderer = new PdfRenderer({ fontFolder: config.pdfFonts, onWarning });
  lifecycle.onStop('PDF renderer', () => pdfRenderer.close());
  const dashboard = connectionShare(shared, pagesShare);
  const onError = (err: unknown) => log.warn({ err }, 'could not sign in at the OpenID provider');
  const openId = config.openId && { ...config.openId, onError };
  const publicApp = createPublicApp({
    routes: Object.values(routes),
    dependencies,
    pageDatabase,
    pdfRenderer,
    origin,
    trustedProxies,
    log,
    observe,
    tracing,
    version: readVersion(),
    dashboard: {
      ...dashboard,
      sessions,
      portalSessions,
      files: await loadDashboardFiles(),
      openId,
      graphql: {
        ...operations,
        dependencies: { ...dashboard, waitForReplay, publisher },
        documents: await loadTrustedDocuments(),
      },
      portalDocuments: await loadPortalDocuments(),
    },
    openStream: streams.open,
    sandbox: config.sandboxPayments,
    webhookCredentials: routes['webhooks.deliveries.list'].credentials,
    onForwardedForProblem: warnOnceAboutForwardedFor(log, metrics.forwardedFor),
  });

  const internal = connectionShare(shared, internalShare);
  const health = apiHealth({ lifecycle, database, redis, waker });
  const sources = { read, health, depths: () => waker.depths() };
  const facts = { serviceFacts: serviceFacts(sources) };
  const internalOperations = {
    ...operations,
    dependencies: { ...internal, ...facts, waitForReplay, publisher },
  };
  const graphql = graphqlHandler({
    ...internalOperations,
    limits,
    maxConcurrent: maxConcurrentOperations,
    withBody: internalBodyReader(createLargeBodyLimit()),
    countError: metrics.graphqlError,
  });
  const operators = await createOperators({
    ...internal,
    limits,
    origin,
    sessions: authenticators.operatorSessions,
    graphql: internalOperations,
  });
  const internalApp = createInternalApp({
    graphql,
    operators,
    stream: streams.internal,
    health,
    metrics,
    origin,
    log,
    tracing,
    status: () => readStatus(sources),
    hosts: config.internalHosts,
  });

  const { host, port, internalHost, internalPort } = config;
  const internalListener = await listen(internalApp, {
    host: internalHost,
    port: internalPort,
    origin,
    log,
  });
  lifecycle.onStop('internal listener', () => internalListener.close());
  const publicListener = await listen(publicApp, { host, port, origin, log });
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
