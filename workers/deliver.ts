import { randomInt } from 'node:crypto';
import type { Config } from '../src/config.js';
import type { Database } from '../src/database/database.js';
import { endAloneTurn, takeAloneTurn } from '../src/domain/delivery/alone-turn.js';
import type { Lane } from '../src/domain/delivery/claim.js';
import { Claimer } from '../src/domain/delivery/claimer.js';
import type { Orphan } from '../src/domain/delivery/park-orphans.js';
import { aloneAsked } from '../src/domain/delivery/parked.js';
import type { Promoted } from '../src/domain/delivery/promote.js';
import { recentAttempts } from '../src/domain/delivery/recent-attempts.js';
import { isUnavailable } from '../src/domain/unavailable.js';
import type { Logger } from '../src/log.js';
import type { Poster } from '../src/outbound/post.js';
import { stopTimes } from '../src/stop-times.js';
import { AttemptLog } from './attempt-log.js';
import { attemptWith } from './attempt.js';
import { claimStoreIn } from './claim-store.js';
import { pause, processClock } from './clock.js';
import { Dispatcher } from './dispatcher.js';
import { HeldClaims } from './held-claims.js';
import { type LeaseTimes, leaseTimes } from './lease-times.js';
import { laneLimits, type Limits } from './limits.js';
import type { WorkerMetrics } from './metrics.js';
import { OpenedSecrets } from './opened-secrets.js';
import { longestTurnMs, Solitude } from './solitude.js';
import { WarmStart } from './warm-start.js';

/** What delivering works with. */
export interface DeliverOptions {
  readonly config: Config;
  readonly database: Database;
  readonly poster: Poster;
  readonly log: Logger;
  readonly metrics: WorkerMetrics;
  readonly lanes: readonly Lane[];
}

/** A stop waits no longer for a database that may be away. */
const releaseLimitMs = 2_000;

/** Replays that a process sends at a time at most, besides the others: callers wait for them. */
const replaySlots = 100;

/** The lanes of this process: dispatchers that share what is claimed. */
export class Deliveries {
  readonly live: Dispatcher | undefined;
  readonly replay: Dispatcher | undefined;
  readonly solitude: Solitude;
  readonly #alone: Dispatcher;
  readonly #options: DeliverOptions;
  readonly #held: HeldClaims;
  readonly #limits = new Map<Lane, Limits>();
  readonly #times: LeaseTimes;
  readonly #attemptLog: AttemptLog;

  constructor(options: DeliverOptions) {
    const { config, database, log, lanes } = options;
    this.#options = options;
    this.#attemptLog = new AttemptLog(options);
    this.#times = leaseTimes(config.webhooks.timeoutMs);
    this.#held = new HeldClaims({
      store: claimStoreIn(database),
      times: this.#times,
      isUnavailable,
      onSettled: (ended, result) => this.#attemptLog.settled(ended, result),
      onSettleError: (error, attempts) =>
        log.warn({ err: error, attempts }, 'could not record results'),
      onDropped: (ended) => this.#attemptLog.dropped(ended),
      onError: (error) => log.warn({ err: error }, 'could not extend or give back claims'),
    });
    const { workerConcurrency, workerEndpointConcurrency } = config;
    if (lanes.includes('live')) {
      this.live = this.#dispatch('live', workerConcurrency, workerEndpointConcurrency);
    }
    if (lanes.includes('replay')) {
      const slots = Math.min(replaySlots, workerConcurrency);
      this.replay = this.#dispatch('replay', slots, workerEndpointConcurrency);
    }
    this.#alone = this.#dispatch('alone', 1, 1);
    void this.#alone.hold();
    const holder = randomInt(1, 2 ** 48 - 1);
    const turnMs = longestTurnMs(config.webhooks.timeoutMs);
    this.solitude = new Solitude({
      takeTurn: async () =>
        lanes.length > 0 &&
        (await aloneAsked(database.read)) &&
        takeAloneTurn(database.read, holder, turnMs),
      endTurn: (restMs) => endAloneTurn(database.read, holder, restMs),
      alone: this.#alone,
      others: [this.live, this.replay].filter((each) => each !== undefined),
      unsettled: () => this.#held.settler.backlog,
      turnMs,
      onError: (error) => log.warn({ err: error }, 'could not run an isolated delivery'),
    });
  }

  /** Attempts in flight by lane. */
  inFlight(): Record<string, number> {
    return Object.fromEntries([...this.#limits].map(([lane, limits]) => [lane, limits.total]));
  }

  /** Makes ready what is due. */
  promote(): Promise<Promoted> {
    return this.#held.promote();
  }

  /** Forgets the leases of this process whose claims have all ended. */
  forgetLeases(): Promise<void> {
    return this.#held.forgetLeases();
  }

  /** Gives back what was claimed without this process hearing of it. @returns how many chains */
  releaseUnheard(): Promise<number> {
    return this.#held.releaseUnheard();
  }

  /** Claims nothing more, lets attempts end and records them; gives back what was not sent. */
  async stop(): Promise<void> {
    const dispatchers = [this.live, this.replay, this.#alone];
    const { drainMs } = stopTimes(this.#options.config.webhooks.timeoutMs);
    await Promise.all(dispatchers.map(async (each) => each?.stop(drainMs)));
    await this.#held.close();
    await this.solitude.ended();
    const released = this.#held.giveBack().catch((error: unknown) => this.#cannotGiveBack(error));
    const done = new AbortController();
    await Promise.race([released, pause(processClock, releaseLimitMs, done.signal)]);
    done.abort();
  }

  #dispatch(lane: Lane, slots: number, perEndpoint: number): Dispatcher {
    const { config, database, poster, log, metrics } = this.#options;
    const { leaseMs, latestClaimMs, latestStartMs } = this.#times;
    const held = this.#held;
    const { settler } = held;
    const limits = laneLimits(slots, perEndpoint);
    this.#limits.set(lane, limits);
    const onParked = (chainIds: readonly string[]) => {
      for (const chain of chainIds)
        log.error({ chain }, 'dead-lettered: its event is past retention');
    };
    const onUnparked = (error: unknown, orphans: readonly Orphan[]) => {
      // These never end here, so nobody forgets the lease that they may hold.
      held.leave(orphans);
      metrics.faults.inc();
      const chains = orphans.map(({ chainId }) => chainId);
      log.error(
        { err: error, chains },
        'could not dead-letter deliveries whose events are past retention',
      );
    };
    const claimer = new Claimer(lane, leaseMs, onParked, onUnparked);
    const warmStart = new WarmStart({
      limits,
      recent: (accountIds, now) => recentAttempts(database.read, accountIds, now),
      onLearned: () => void dispatcher.look(),
      onError: (error) => log.warn({ err: error, lane }, 'could not read recent attempts'),
    });
    const dispatcher: Dispatcher = new Dispatcher({
      limits,
      claim: async (room) => {
        const claims = await held.claim((token) => claimer.claim(database.read, room, token));
        if (lane === 'live') warmStart.claimed(claims);
        return claims;
      },
      latestClaimMs,
      latestStartMs,
      attempt: attemptWith({
        poster,
        secrets: new OpenedSecrets(database.read.rules.sealer),
        contentType: config.webhooks.contentType,
      }),
      onEnded: (ended, claimedAt) => settler.add(ended, claimedAt + leaseMs),
      // A claim that waits beside the one in flight would be interrupted with it.
      ahead: lane !== 'alone',
      // Whoever runs alone leaves nothing behind that the next one could take along.
      unsettled: () => (lane === 'alone' && settler.backlog > 0 ? Infinity : settler.backlog),
      allowance: () => settler.allowance,
      release: (claims) => held.release(claims),
      onFault: (error, claim) => {
        metrics.faults.inc();
        if (claim) {
          this.#attemptLog.failed(error, claim);
          held.defer(claim).catch((cause: unknown) => this.#cannotGiveBack(cause));
        } else log.warn({ err: error, lane }, 'could not claim');
      },
    });
    return dispatcher;
  }

  #cannotGiveBack(error: unknown): void {
    this.#options.log.warn({ err: error }, 'could not give a claim back; its lease ends by itself');
  }
}
