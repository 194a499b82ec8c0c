import { mapSources } from '../src/own-source-maps.js';
import { baseUrlAdvice } from '../src/base-url-advice.js';
import { loadServiceConfig, ownEnvironment, summarize } from '../src/config.js';
import { engineServerSettings, type Lane } from '../src/domain/delivery/claim.js';
import { readBacklog } from '../src/domain/delivery/backlog.js';
import { readNoticeBacklog } from '../src/domain/notice/backlog.js';
import { LockTaken } from '../src/domain/tx.js';
import type { Wakeup } from '../src/domain/wakeup.js';
import { orEnd } from '../src/explain.js';
import { untilReleased } from '../src/held.js';
import { Lifecycle } from '../src/lifecycle.js';
import { createLogger } from '../src/log.js';
import { createMailer } from '../src/mail/create-mailer.js';
import { createPoster } from '../src/outbound/post.js';
import { askPartitions } from '../src/partition-health.js';
import { evictingAdvice } from '../src/queue/eviction.js';
import { listen } from '../src/queue/listeners.js';
import { createWaker } from '../src/queue/queues.js';
import { awaitDatabase } from '../src/runtime.js';
import { stopTimes } from '../src/stop-times.js';
import { Deliveries } from './deliver.js';
import { Expiry } from './expiry.js';
import { sweepLeftovers } from './leftovers.js';
import { OperatorListener } from './listener.js';
import { WorkerMetrics } from './metrics.js';
import { mailTimeoutMs, Notices } from './notices.js';
import { OwedCancellations, owedIn } from './owed-cancellations.js';
import { handlersOf, kindsOf } from './run.js';
import { Sweep } from './sweep.js';
import { makePartitions, Upkeep } from './upkeep.js';

// A worker process: claims what is due, sends it, records it, sweeps. Stops in reverse.
mapSources();
await untilReleased();
const config = orEnd(loadServiceConfig);
const log = createLogger('worker', config.logLevel);
const lifecycle = new Lifecycle(log, stopTimes(config.webhooks.timeoutMs).processMs);
lifecycle.watchSignals();

async function start(): Promise<void> {
  log.info({ settings: summarize(ownEnvironment) }, 'starting');
  const advice = baseUrlAdvice(ownEnvironment, config);
  if (advice !== undefined) log.warn(advice);
  const { databaseUrl, redisUrl, webhooks, workerRoles: roles } = config;
  const onError = (error: Error) => log.warn({ err: error }, 'queue error');
  const onEvicting = (policy: string) => log.error({ policy }, evictingAdvice);
  const queue = { databaseUrl, redisUrl, onError };

  const metrics = new WorkerMetrics();
  const waker = createWaker({
    ...queue,
    onEvicting,
    onLost: (kind) => metrics.lostWakeups.inc({ kind }),
  });
  lifecycle.onStop('waker', () => waker.close());

  const wake = (owed: readonly Wakeup[]) => {
    // As in the API: every event that is published owes one, at once.
    metrics.accepted.inc(owed.filter(({ kind, at }) => kind === 'due' && !at).length);
    waker.wake(owed);
  };
  const database = await awaitDatabase(config, {
    name: 'worker',
    log,
    wake,
    abandoned: (records) => metrics.recorded.inc({ status: 'abandoned' }, records),
    serverSettings: engineServerSettings,
  });
  lifecycle.onStop('database', () => database.close());
  // Before anything is delivered: without one of this week nothing can be recorded.
  await makePartitions(database.transact).catch((error: unknown) => {
    if (error instanceof LockTaken) return;
    log.warn({ err: error }, 'could not create the next partitions; retrying');
  });

  let serving = false;
  const listener = await OperatorListener.open({
    host: config.internalHost,
    port: config.workerPort,
    health: {
      stopping: () => !serving || lifecycle.stopping,
      needed: {
        postgresql: () => database.ping(),
        partitions: () => askPartitions(database.read),
      },
      useful: { queue: () => waker.depths() },
    },
    metrics: () => metrics.text(),
  });
  lifecycle.onStop('operator listener', () => listener.close());

  const poster = createPoster({
    timeoutMs: webhooks.timeoutMs,
    allowPrivateTargets: webhooks.allowPrivateTargets,
    caFile: webhooks.caFile,
    // No attempt waits for a connection; those of replays have slots of their own.
    connectionsPerOrigin: 2 * config.workerConcurrency,
  });
  lifecycle.onStop('connections to receivers', () => poster.close());

  const lanes: Lane[] = [];
  if (roles.includes('deliver')) lanes.push('live');
  if (roles.includes('replay')) lanes.push('replay');
  const deliveries = new Deliveries({ config, database, poster, log, metrics, lanes });
  const { read, transact } = database;
  const { live, replay, solitude } = deliveries;
  const owed = new OwedCancellations(owedIn({ read, transact }));
  const sweep = new Sweep({
    ...{ live, replay, solitude, wake: waker.wake },
    releaseUnheard: () => deliveries.releaseUnheard(),
    promote: () => deliveries.promote(),
    forgetLeases: () => deliveries.forgetLeases(),
    cancel: (after) => sweepLeftovers(transact, after),
    payCancellations: () => owed.pay(),
    onFind: (found, chains) => metrics.sweepFinds.inc({ found }, chains),
    onParked: (chainIds) => {
      for (const chain of chainIds)
        log.error({ chain }, 'dead-lettered: its claims end without a result');
    },
    onError: (error) => log.warn({ err: error }, 'could not poll'),
  });

  const expiry = roles.includes('expire')
    ? new Expiry({
        transact,
        onExpired: (checkouts) => metrics.expired.inc(checkouts),
        onError: (error) => log.warn({ err: error }, 'could not poll for expired checkouts'),
      })
    : undefined;

  const notices = roles.includes('notify')
    ? new Notices({
        ...{ read, transact, log, metrics },
        mailer: createMailer({ ...config, timeoutMs: mailTimeoutMs }),
      })
    : undefined;

  const handlers = handlersOf(deliveries, sweep, expiry, notices);
  const kinds = kindsOf(roles, handlers);
  const listeners = listen({
    ...queue,
    kinds,
    onWakeup: async (kind, scheduled) => {
      await handlers[kind]?.(scheduled);
    },
  });
  // At once: a wake-up in somebody's hands ends when the deliveries take no more.
  lifecycle.onStop('deliveries and notices', async () => {
    const looking = [expiry?.stop(), notices?.stop(), sweep.stop()];
    await Promise.all([deliveries.stop(), ...looking, listeners.close()]);
  });

  const upkeep = new Upkeep({
    transact,
    onDropped: (tables) => log.info({ tables }, 'dropped partitions past retention'),
    onError: (error) => log.warn({ err: error }, 'maintenance failed; retrying'),
  });
  lifecycle.onStop('upkeep', () => upkeep.stop());

  metrics.readFrom({
    backlog: () => readBacklog(read),
    notices: () => readNoticeBacklog(read),
    queueDepths: () => waker.depths(),
    inFlight: () => deliveries.inFlight(),
  });
  serving = true;
  lifecycle.ready({ internal: listener.address, roles: roles.join(), queues: kinds.join() });
}

start().catch((error: unknown) => lifecycle.fail(error));
