// A worker process: claims due deliveries, sends them, records the results, and polls.
//
// It starts in the order of this file: settings, database, the listener for operators, the parts that do the work,
// then the poll and the wake-ups that start them. It stops in reverse. A crash loses nothing: its leases end, and
// another worker claims what it had claimed.
import {
  loadServiceConfig,
  processEnvironment,
  summarize,
  workerWarnings,
} from '../src/config/config.js';
import { errorMessage, exitOnConfigError, OperatorError } from '../src/process/explain-error.js';
import { Lifecycle, stopTimeouts } from '../src/process/lifecycle.js';
import { createLogger } from '../src/process/log.js';
import { openDatabaseWhenReady } from '../src/process/open-database.js';
import { enableSourceMaps } from '../src/process/source-maps.js';
import { waitForStartGate } from '../src/process/start-gate.js';
import { startTelemetry } from '../src/process/telemetry.js';
import { readVersion } from '../src/process/version.js';
import { checkPartitions } from '../src/database/partitions.js';
import { getAccount } from '../src/domain/account/accounts.js';
import { readBacklog } from '../src/domain/delivery/backlog.js';
import { engineServerSettings, type Lane } from '../src/domain/delivery/claim.js';
import { countFullAccounts } from '../src/domain/delivery/full-accounts.js';
import { SubjectOrder } from '../src/domain/delivery/subject-order.js';
import { DomainError } from '../src/domain/errors.js';
import { deleteHeartbeat } from '../src/domain/worker/heartbeats.js';
import { readNoticeBacklog } from '../src/domain/notice/notices.js';
import { countRecoveries, recoveriesDue } from '../src/domain/recovery/recoveries.js';
import { runRecoveryStep } from '../src/domain/recovery/run-step.js';
import { LockNotAvailable, type Read } from '../src/domain/transaction/tx.js';
import { sendSignal, type Wakeup } from '../src/domain/transaction/wakeup.js';
import { createWebhookClient } from '../src/outbound/post.js';
import { createMailer } from '../src/mail/mailer.js';
import { listenForWakeups } from '../src/queue/consumer.js';
import { createWakeupPublisher } from '../src/queue/producer.js';
import { evictionWarning } from '../src/queue/redis.js';
import { Cancellations, cancellationStore } from './cancellations.js';
import { CheckoutExpiry } from './checkout-expiry.js';
import { LineLimit } from './delivery/attempt-reporter.js';
import { Poller } from './delivery/poller.js';
import { DeliveryWorker } from './delivery/worker.js';
import { createPartitions, Maintenance } from './maintenance.js';
import { WorkerMetrics } from './metrics.js';
import { mailTimeoutMs, NoticeSender } from './notices.js';
import { OperatorListener } from './operator-listener.js';
import { RecoveryRunner } from './recovery.js';
import { wakeupHandlers, wakeupKinds } from './roles.js';

enableSourceMaps();

await waitForStartGate();
const config = exitOnConfigError(loadServiceConfig);
const log = createLogger('worker', config.logLevel, config.logFormat);
const lifecycle = new Lifecycle(log, stopTimeouts(config.webhooks.timeoutMs).processMs);
lifecycle.watchSignals();

async function start(): Promise<void> {
  log.info({ settings: summarize(processEnvironment) }, 'starting');
  for (const warning of workerWarnings(processEnvironment, config)) log.warn(warning);

  const { databaseUrl, redisUrl, webhooks, workerRoles: roles } = config;

  // Wake-ups, metrics, and the database.
  const metrics = new WorkerMetrics();
  const queue = {
    databaseUrl,
    redisUrl,
    onError: (error: Error) =>
      log.warn({ err: error }, 'the queue failed; retries wait for the poll'),
  };

  const wakeupPublisher = createWakeupPublisher({
    ...queue,
    onEvicting: (policy: string) => log.error({ policy }, evictionWarning),
    signal: async (kind) => sendSignal(database.read, kind),
    onLost: (kind) => metrics.lostWakeups.inc({ kind }),
  });

  const subjectOrder = new SubjectOrder({
    database: () => database,
    onError: (error) =>
      log.warn({ err: error }, 'could not advance ordered subjects; the next poll will'),
  });

  const database = await openDatabaseWhenReady(config, {
    name: 'worker',
    log,
    wake: (wakeups: readonly Wakeup[]) => {
      // As in the API: each published event sends one immediate wake-up of kind `due`.
      metrics.accepted.inc(wakeups.filter(({ kind, at }) => kind === 'due' && !at).length);
      wakeupPublisher.wake(wakeups);
      subjectOrder.published(wakeups);
    },
    abandoned: (records) => metrics.recorded.inc({ status: 'abandoned' }, records),
    serverSettings: engineServerSettings,
  });

  lifecycle.onStop('database', () => database.close());

  // Stops before the database: its last signals need a connection.
  lifecycle.onStop('wake-ups', () => wakeupPublisher.close());
  lifecycle.onStop('order of subjects', () => subjectOrder.stop());

  // The worker's identity, for its heartbeat and telemetry.
  const { instance, tracing } = await startTelemetry('signalpost-worker', {
    metrics,
    log,
    lifecycle,
  });

  const worker = { id: instance, roles, version: readVersion() };
  lifecycle.onStop('heartbeat', () => deleteHeartbeat(database.read, worker.id));

  const operatorWarning = await operatorAccountWarning(database.read);
  if (operatorWarning !== undefined) log.warn(operatorWarning);

  // Before any delivery: without a partition for this week no result can be recorded.
  await createPartitions(database.transact).catch((error: unknown) => {
    if (error instanceof LockNotAvailable) return;
    log.warn({ err: error }, 'could not create the next partitions; retrying');
  });

  // Health and metrics. /readyz answers 503 until this function ends.
  let serving = false;
  const listener = await OperatorListener.open({
    host: config.internalHost,
    port: config.workerPort,
    hosts: config.internalHosts,
    health: {
      stopping: () => !serving || lifecycle.stopping,
      required: {
        postgresql: () => database.ping(),
        partitions: () => checkPartitions(database.read),
      },
      optional: {
        queue: () => wakeupPublisher.depths(),
        writes: () => database.checkWrites(),
      },
    },
    metrics: () => metrics.text(),
  });

  lifecycle.onStop('operator listener', () => listener.close());

  // The parts that do the work: attempts, cancellations, expired checkouts, mails, recoveries.
  const { clientCertificate, proxy } = webhooks;
  const proxyLines = new LineLimit();
  const webhookClient = orOperatorError(() =>
    createWebhookClient({
      timeoutMs: webhooks.timeoutMs,
      allowPrivateTargets: webhooks.allowPrivateTargets,
      caFile: webhooks.caFile,
      clientCertificate: clientCertificate && {
        ...clientCertificate,
        onReplaced: ({ validTo }) => log.info({ valid_to: validTo }, 'client certificate replaced'),
        onUnusable: (error) =>
          log.error(
            { reason: error.message },
            'cannot use the new client certificate; the old one stays in use',
          ),
      },
      proxy: proxy && {
        ...proxy,
        onFault: ({ reason, message }) => {
          metrics.proxyFaults.inc({ reason });
          if (proxyLines.allows(reason)) log.error({ reason }, `${message}; deliveries wait`);
        },
        onAvailable: () => {
          if (proxyLines.allows('available'))
            log.info('the proxy of WEBHOOKS_PROXY_URL reacts; deliveries are tried again');
          deliveryWorker.poll();
        },
      },
      // No attempt waits for a connection; live and replay attempts have separate slots.
      connectionsPerOrigin: 2 * config.workerConcurrency,
    }),
  );

  lifecycle.onStop('connections to receivers', () => webhookClient.close());

  const lanes: Lane[] = [];
  if (roles.includes('deliver')) lanes.push('live');
  if (roles.includes('replay')) lanes.push('replay', 'recovery');

  const deliveryWorker = new DeliveryWorker({
    config,
    database,
    webhookClient,
    log,
    metrics,
    lanes,
    worker,
    tracing,
  });

  const { read, transact } = database;
  const cancellations = new Cancellations({ store: cancellationStore({ read, transact }) });
  const expiry = roles.includes('expire')
    ? new CheckoutExpiry({
        read,
        transact,
        onExpired: (checkouts) => metrics.expired.inc(checkouts),
        onError: (error) => log.warn({ err: error }, 'could not poll for expired checkouts'),
      })
    : undefined;

  const notices = roles.includes('notify')
    ? new NoticeSender({
        read,
        transact,
        log,
        metrics,
        mailer: createMailer({ ...config, timeoutMs: mailTimeoutMs }),
      })
    : undefined;

  const recoveries = roles.includes('replay')
    ? new RecoveryRunner({
        due: () => recoveriesDue(read),
        step: () => runRecoveryStep(transact),
        pollLane: () => void deliveryWorker.recovery?.poll(),
        onStep: ({ failed, missed }) => {
          metrics.recovered.inc({ what: 'failed' }, failed);
          metrics.recovered.inc({ what: 'missed' }, missed);
        },
        onError: (error) => log.warn({ err: error }, 'could not run a step of a recovery'),
      })
    : undefined;

  // Polls and wake-ups, which start the work.
  const poller = new Poller({
    live: deliveryWorker.live,
    replay: deliveryWorker.replay,
    isolation: deliveryWorker.isolation,
    wake: wakeupPublisher.wake,
    claimManager: deliveryWorker.claimManager,
    cancel: (backlog) => cancellations.poll(backlog),
    advanceSubjects: () => subjectOrder.poll(),
    onWaiting: (waiting) => {
      if (waiting.notices) void notices?.poll();
      if (waiting.checkouts) void expiry?.poll();
      if (waiting.recoveries || waiting.recovery) recoveries?.poll();
    },
    onFind: (found, pendingDeliveries) => metrics.pollFinds.inc({ found }, pendingDeliveries),
    onDeadLettered: (ids) => {
      const message = 'dead-lettered: its claims repeatedly ended without a result';
      for (const id of ids) log.error({ pending_delivery: id }, message);
    },
    onError: (error) =>
      log.warn({ err: error }, 'polling for due work failed; the next poll tries again'),
  });

  const handlers = wakeupHandlers(deliveryWorker, poller, expiry, notices);
  const kinds = wakeupKinds(roles, handlers);
  const listeners = listenForWakeups({
    ...queue,
    kinds,
    onWakeup: async (kind, scheduled) => (await handlers[kind]?.(scheduled)) !== 0,
  });

  // In parallel: a handler of a wake-up returns only when the lanes stop claiming.
  lifecycle.onStop('deliveries and notices', async () => {
    const stopping = [expiry?.stop(), notices?.stop(), recoveries?.stop(), poller.stop()];
    await Promise.all([deliveryWorker.stop(), ...stopping, listeners.close()]);
  });

  const maintenance = new Maintenance({
    transact,
    pendingPerAccount: config.pendingPerAccount,
    onDropped: (tables) => log.info({ tables }, 'dropped partitions past retention'),
    onError: (error) => log.warn({ err: error }, 'maintenance failed; retrying'),
  });

  lifecycle.onStop('maintenance', () => maintenance.stop());

  metrics.setSources({
    backlog: () => readBacklog(read),
    fullAccounts: () => countFullAccounts(read),
    notices: () => readNoticeBacklog(read),
    recoveries: () => countRecoveries(read),
    queueDepths: () => wakeupPublisher.depths(),
    inFlight: () => deliveryWorker.inFlight(),
    refusedWrites: () => database.writeRefusals.total,
    proxyUp: () => webhookClient.isAvailable,
  });

  serving = true;
  lifecycle.ready({ internal: listener.address, roles: roles.join(), queues: kinds.join() });
}

/** Runs `create`, whose errors only an operator can fix. @throws OperatorError */
function orOperatorError<T>(create: () => T): T {
  try {
    return create();
  } catch (error) {
    throw new OperatorError(errorMessage(error));
  }
}

/** The warning for an OPERATOR_ACCOUNT that does not exist; else undefined. */
async function operatorAccountWarning(read: Read): Promise<string | undefined> {
  const { operatorAccount } = read.rules;
  if (operatorAccount === undefined) return undefined;
  try {
    await getAccount(read, operatorAccount);
    return undefined;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return 'OPERATOR_ACCOUNT is not the id of an account, so operators get no events about endpoints';
  }
}

start().catch((error: unknown) => lifecycle.fail(error));
