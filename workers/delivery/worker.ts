// The delivery worker of one process: its lanes (live, replay, recovery, isolated) and what they share.
//
// A lane (lane.ts) claims deliveries through the claim manager, starts their attempts as its limiter and the
// rate limits of endpoints allow, sends them (sender.ts), and hands their results to the result writer. The
// lanes share one claim manager with one result writer, so every claim of the process is recorded, released or
// extended in one place.
//
// Invariants: an attempt runs only under a lease of this process; a result is recorded only under the token of
// its claim; a delivery that repeatedly ended its process runs alone (isolation).
//
// A crash leaves leases. When they end, another worker claims the deliveries again: at most what was in flight
// or not yet recorded is sent twice.
import { randomInt } from 'node:crypto';
import type { Config } from '../../src/config/config.js';
import type { Database } from '../../src/database/database.js';
import type { Lane } from '../../src/domain/delivery/claim.js';
import { Claimer } from '../../src/domain/delivery/claim-deliveries.js';
import { recentAttempts } from '../../src/domain/delivery/deliveries.js';
import {
  acquireIsolationLock,
  hasIsolatedReady,
  releaseIsolationLock,
} from '../../src/domain/delivery/isolation.js';
import type { Orphan } from '../../src/domain/delivery/promote.js';
import { reserveSendTimes } from '../../src/domain/delivery/send-times.js';
import type { WorkerIdentity } from '../../src/domain/worker/heartbeats.js';
import type { WebhookClient } from '../../src/outbound/post.js';
import type { Logger } from '../../src/process/log.js';
import { stopTimeouts } from '../../src/process/lifecycle.js';
import type { Tracing } from '../../src/process/tracing.js';
import { delay, processClock } from '../clock.js';
import type { WorkerMetrics } from '../metrics.js';
import { AttemptReporter } from './attempt-reporter.js';
import { ClaimManager, createClaimStore } from './claim-manager.js';
import { Isolation, maxIsolationLockMs } from './isolation.js';
import { DeliveryLane } from './lane.js';
import { type LeaseTimes, leaseTimes } from './lease-times.js';
import { type ConcurrencyLimiter, laneLimiter } from './limiter.js';
import { createAttemptSender, ResponseBudget, SecretCache } from './sender.js';
import { WarmStart } from './warm-start.js';

interface DeliveryWorkerOptions {
  readonly config: Config;
  readonly database: Database;
  readonly webhookClient: WebhookClient;
  readonly log: Logger;
  readonly metrics: WorkerMetrics;
  readonly lanes: readonly Lane[];
  readonly worker: WorkerIdentity;
  readonly tracing: Tracing | undefined;
}

/** How long a stop waits for claims to be released: the database may be unreachable. */
const releaseTimeoutMs = 2_000;

/** Slots for replays, on top of the live ones, because callers wait for replays. */
const replaySlots = 100;

/** Recoveries get few slots, of which one account takes at most a quarter. */
const recoverySlots = 40;

/** The lanes of one process; they share one claim manager. */
export class DeliveryWorker {
  readonly live: DeliveryLane | undefined;
  readonly replay: DeliveryLane | undefined;
  readonly recovery: DeliveryLane | undefined;
  readonly isolation: Isolation;
  readonly claimManager: ClaimManager;
  readonly #isolated: DeliveryLane;
  readonly #options: DeliveryWorkerOptions;
  readonly #responseBudget = new ResponseBudget();
  readonly #limiters = new Map<Lane, ConcurrencyLimiter>();
  readonly #times: LeaseTimes;
  readonly #attemptReporter: AttemptReporter;

  constructor(options: DeliveryWorkerOptions) {
    const { config, database, log, lanes } = options;
    this.#options = options;
    this.#attemptReporter = new AttemptReporter(options);
    this.#times = leaseTimes(config.webhooks.timeoutMs);

    this.claimManager = new ClaimManager({
      store: createClaimStore(database, options.worker),
      times: this.#times,
      onRecorded: (ended, result) => this.#attemptReporter.recorded(ended, result),
      onRecordError: (error, attempts) =>
        log.warn({ err: error, attempts }, 'could not record results'),
      onDropped: (ended) => this.#attemptReporter.dropped(ended),
      onError: (error) => log.warn({ err: error }, 'could not extend or release claims'),
    });

    const { workerConcurrency, workerEndpointConcurrency } = config;

    if (lanes.includes('live')) {
      this.live = this.#createLane('live', workerConcurrency, workerEndpointConcurrency);
    }

    if (lanes.includes('replay')) {
      const slots = Math.min(replaySlots, workerConcurrency);
      this.replay = this.#createLane('replay', slots, workerEndpointConcurrency);
    }

    if (lanes.includes('recovery')) {
      const slots = Math.min(recoverySlots, workerConcurrency);
      this.recovery = this.#createLane('recovery', slots, workerEndpointConcurrency);
    }

    this.#isolated = this.#createLane('isolated', 1, 1);
    void this.#isolated.pause();

    const holder = randomInt(1, 2 ** 48 - 1);
    const lockMs = maxIsolationLockMs(config.webhooks.timeoutMs);
    this.isolation = new Isolation({
      acquireLock: async () =>
        lanes.length > 0 &&
        (await hasIsolatedReady(database.read)) &&
        acquireIsolationLock(database.read, holder, lockMs),
      releaseLock: (cooldownMs) => releaseIsolationLock(database.read, holder, cooldownMs),
      isolatedLane: this.#isolated,
      otherLanes: [this.live, this.replay, this.recovery].filter((lane) => lane !== undefined),
      unrecorded: () => this.claimManager.resultWriter.backlog,
      lockMs,
      onError: (error) => log.warn({ err: error }, 'could not run an isolated delivery'),
    });
  }

  /** Claims in all lanes that send now. Never throws. */
  poll(): void {
    for (const lane of [this.live, this.replay, this.recovery]) void lane?.poll();
  }

  /** Attempts in flight and slots, by lane. */
  inFlight(): Record<string, Pick<ConcurrencyLimiter, 'held' | 'slots'>> {
    return Object.fromEntries(this.#limiters);
  }

  /** Stops claiming, lets attempts in flight end, records them and releases the claims not sent. */
  async stop(): Promise<void> {
    const lanes = [this.live, this.replay, this.recovery, this.#isolated];
    const { config, log } = this.#options;
    const { drainMs } = stopTimeouts(config.webhooks.timeoutMs);
    await Promise.all(lanes.map(async (lane) => lane?.stop(drainMs)));
    await this.claimManager.close();
    await this.isolation.ended();

    const released = this.claimManager
      .retryReleases()
      .catch((error: unknown) =>
        log.warn({ err: error }, 'could not release a claim; its lease will expire'),
      );

    const done = new AbortController();
    await Promise.race([released, delay(processClock, releaseTimeoutMs, done.signal)]);
    done.abort();
  }

  #createLane(lane: Lane, slots: number, perEndpoint: number): DeliveryLane {
    const { config, database, webhookClient, tracing } = this.#options;
    const limiter = laneLimiter(slots, perEndpoint, config.workerHostConcurrency);
    this.#limiters.set(lane, limiter);

    const claimer = this.#createClaimer(lane);
    const secrets = new SecretCache({
      sealer: database.read.rules.sealer,
      onMissing: (claim, reason) => this.#attemptReporter.secretMissing(claim, reason),
    });

    const send = createAttemptSender({
      webhookClient,
      secrets,
      lane,
      contentType: config.webhooks.contentType,
      keepResponses: config.webhooks.keepResponses,
      responseBudget: this.#responseBudget,
      tracing: tracing !== undefined,
    });

    return new DeliveryLane({
      lane,
      limiter,
      times: this.#times,
      claimer: { claim: (capacity, token) => claimer.claim(database.read, capacity, token) },
      claimManager: this.claimManager,
      send,
      webhookClient,
      reserveSendTimes: (wanted, aheadMs) => reserveSendTimes(database.read, wanted, aheadMs),
      results: this.claimManager.resultWriter,
      reporter: this.#attemptReporter,
      ...(lane === 'live' && { warmStart: this.#createWarmStart(limiter) }),
    });
  }

  #createClaimer(lane: Lane): Claimer {
    const { log, metrics } = this.#options;
    const onDeadLettered = (ids: readonly string[]) => {
      for (const id of ids)
        log.error({ pending_delivery: id }, 'dead-lettered: its event is past retention');
    };

    const onDeadLetterFailed = (error: unknown, orphans: readonly Orphan[]) => {
      // These claims never end here, so their lease must not count as finished.
      this.claimManager.leaveToExpire(orphans);
      metrics.internalErrors.inc();
      const ids = orphans.map(({ pendingDeliveryId }) => pendingDeliveryId);
      log.error(
        { err: error, pending_deliveries: ids },
        'could not dead-letter deliveries whose events are past retention',
      );
    };

    return new Claimer({
      lane,
      leaseMs: this.#times.leaseMs,
      onDeadLettered,
      onDeadLetterFailed,
    });
  }

  #createWarmStart(limiter: ConcurrencyLimiter): WarmStart {
    const { database, log } = this.#options;
    return new WarmStart({
      limiter,
      recent: (accountIds, now) => recentAttempts(database.read, accountIds, now),
      onRestored: () => void this.live?.poll(),
      onError: (error) => log.warn({ err: error, lane: 'live' }, 'could not read recent attempts'),
    });
  }
}
