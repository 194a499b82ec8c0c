import { mapSources } from './own-source-maps.js';
import { baseUrlAdvice } from './base-url-advice.js';
import { connectLimits } from './connect-limits.js';
import { loadServiceConfig, ownEnvironment, summarize } from './config.js';
import { apiServerSettings } from './database/api-server-settings.js';
import { Listener } from './database/listener.js';
import { shareOf } from './database/share.js';
import { Turns } from './database/turns.js';
import { readReplays, type ReplayEnd } from './domain/delivery/replay.js';
import { replayChannel } from './domain/delivery/replay-signal.js';
import { ReplayWaiters } from './domain/delivery/replay-waiters.js';
import type { Wakeup } from './domain/wakeup.js';
import { Press } from './document/press.js';
import { orEnd } from './explain.js';
import { warnOnce } from './forwarded-advice.js';
import { serveGraphQL } from './graphql/door.js';
import { lateGraphQLServer } from './graphql/late-server.js';
import { buildSchema } from './graphql/schema.js';
import { untilReleased } from './held.js';
import { createInternalApp } from './http/internal-app.js';
import { listen } from './http/listen.js';
import { createMetrics } from './http/metrics.js';
import { createPublicApp } from './http/public-app.js';
import { makeLargeBodies, operationsAtOnce } from './internal-limits.js';
import { Lifecycle } from './lifecycle.js';
import { createLogger } from './log.js';
import { askPartitions } from './partition-health.js';
import { evictingAdvice } from './queue/eviction.js';
import { makeAuthenticator } from './make-authenticator.js';
import { createWaker } from './queue/queues.js';
import { internalBodies } from './rest/json-body.js';
import { RateLimits } from './rest/rate-limit.js';
import { compileRoutes } from './rest/routes.js';
import { awaitDatabase } from './runtime.js';
import { stopTimes } from './stop-times.js';

// The API process: the public interface, and GraphQL, health and metrics on the internal port.
mapSources();
// What needs neither settings nor a database comes first: a launcher may still be making both.
const schema = buildSchema();
const interpreted: { readonly operation: string; readonly why: string }[] = [];
const routes = compileRoutes(schema, (operation, why) => interpreted.push({ operation, why }));
await untilReleased();
const config = orEnd(loadServiceConfig);
const log = createLogger('api', config.logLevel);
const lifecycle = new Lifecycle(
  log,
  stopTimes(config.webhooks.timeoutMs, config.lameDuckMs).processMs,
);
lifecycle.watchSignals();

/** A replay's caller waits for one attempt, and for its worker to notice; in all, and for the outcome. */
const replayMarginMs = 5_000;
const outcomeMarginMs = 4_000;

/** Of one account, or one page's buyers. */
const changesAtOnce = 2;
const changesWaiting = 250;
const turnPatienceMs = 5_000;

/** Of the connections to PostgreSQL, each at most, so that none of them keeps the others waiting. */
const publicShare = 0.8;
const internalShare = 0.5;
const pagesShare = 1 / 3;

/** With what pg adds for the answer, less than a request may take. */
const statementTimeoutMs = 7_000;

async function start(): Promise<void> {
  log.info({ settings: summarize(ownEnvironment) }, 'starting');
  const advice = baseUrlAdvice(ownEnvironment, config);
  if (advice !== undefined) log.warn(advice);
  for (const each of interpreted) log.warn(each, 'an operation is interpreted, not compiled');
  const { databaseUrl, redisUrl, baseUrl: origin } = config;

  const waker = createWaker({
    databaseUrl,
    redisUrl,
    onError: (error) => log.warn({ err: error }, 'queue error'),
    onEvicting: (policy) => log.error({ policy }, evictingAdvice),
  });
  lifecycle.onStop('waker', () => waker.close());

  // One account or buyer never takes all connections, so nobody waits behind a queue of another's.
  const atOnce = Math.max(1, Math.min(changesAtOnce, config.databasePool - 1));
  const turns = new Turns({ atOnce, waiting: changesWaiting, patienceMs: turnPatienceMs });
  const metrics = createMetrics({ depths: () => waker.depths(), waiting: () => turns.waiting });
  const wake = (owed: readonly Wakeup[]) => {
    // Every event that is published owes one, at once.
    metrics.accepted(owed.filter(({ kind, at }) => kind === 'due' && !at).length);
    waker.wake(owed);
  };
  const { abandoned } = metrics;
  const database = await awaitDatabase(config, {
    name: 'api',
    log,
    wake,
    abandoned,
    serverSettings: apiServerSettings,
    statementTimeoutMs,
  });
  lifecycle.onStop('database', () => database.close());
  const { read } = database;
  const shared = { pool: config.databasePool, database, turns };
  const pages = shareOf(shared, pagesShare);

  const replays = new ReplayWaiters<ReplayEnd>({
    look: (chains) => readReplays(read, chains),
    limitMs: config.webhooks.timeoutMs + outcomeMarginMs,
    onError: (error) => log.warn({ err: error }, 'could not poll for ended replays'),
  });
  const listener = new Listener({
    url: databaseUrl,
    channel: replayChannel,
    onSignal: () => replays.signal(),
    onError: (error) => log.warn({ err: error }, 'cannot listen for ended replays; polling'),
  });
  lifecycle.onStop('replay signals', () => listener.close());

  const redis = redisUrl === undefined ? undefined : connectLimits(redisUrl, log);
  lifecycle.onStop('redis', () => {
    redis?.disconnect();
    return Promise.resolve();
  });
  const limits = new RateLimits({ perMinute: config.rateLimit, ...(redis && { redis }) });
  const authenticator = makeAuthenticator(config.rateLimit);

  const settled = (chain: string) => replays.wait(chain);
  const replayLimitMs = config.webhooks.timeoutMs + replayMarginMs;
  const replay = routes['webhooks.deliveries.replay'];
  const ofV1 = shareOf(shared, publicShare);
  const world = { ...ofV1, settled, limits, authenticator, replay, replayLimitMs };
  const { observe } = metrics;
  const { trustedProxies } = config;
  const press = new Press({
    fontFolder: config.pdfFonts,
    onWarning: (message) => log.warn(message),
  });
  lifecycle.onStop('press', () => press.close());
  const publicApp = createPublicApp({
    ...{ routes: Object.values(routes), world, pages, press, origin, trustedProxies, log, observe },
    sandbox: config.sandboxPayments,
    onForwardedIgnored: warnOnce(log, metrics.forwardedIgnored),
  });

  const server = lateGraphQLServer(schema, log, metrics.graphqlError);
  lifecycle.onStop('graphql', () => server.stop());
  const graphql = serveGraphQL({
    answer: server.answer,
    world: { ...shareOf(shared, internalShare), settled },
    ...{ limits, replayLimitMs, authenticator, atOnce: operationsAtOnce },
    withBody: internalBodies(makeLargeBodies()),
    report: (error) => log.error({ err: error }, 'graphql failed'),
    countError: metrics.graphqlError,
  });
  const internalApp = createInternalApp({
    graphql,
    health: {
      stopping: () => lifecycle.stopping,
      needed: { postgresql: () => database.ping() },
      useful: {
        ...{ queue: () => waker.depths(), partitions: () => askPartitions(read) },
        ...(redis && { redis: () => redis.ping() }),
      },
    },
    metrics,
    origin,
    log,
  });

  const { host, port, internalHost, internalPort } = config;
  const internal = await listen(internalApp, {
    ...{ host: internalHost, port: internalPort, origin, log },
  });
  lifecycle.onStop('internal listener', () => internal.close());
  const open = await listen(publicApp, { host, port, origin, log });
  lifecycle.onStop('public listener', () => open.close());
  // Before the listeners: their workers may be stopping too, and the keys tell the outcome later (H76.7).
  lifecycle.onStop('callers of replays', () => {
    replays.close();
    return Promise.resolve();
  });
  // First of all: /readyz says 503 by now, and whoever balances needs some time to hear it.
  lifecycle.onStop('lame duck', async () => {
    await Promise.all([open, internal].map((each) => each.drain(config.lameDuckMs)));
  });
  lifecycle.ready({ rest: open.address, internal: internal.address });
}

start().catch((error: unknown) => lifecycle.fail(error));
