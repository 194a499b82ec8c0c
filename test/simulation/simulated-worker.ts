import type { EndedAttempt } from '../../src/domain/delivery/attempt.js';
import type { Capacity, Claim, Lane } from '../../src/domain/delivery/claim.js';
import { ClaimCursors } from '../../src/domain/delivery/claim-deliveries.js';
import type { PostResult } from '../../src/domain/delivery/outcome.js';
import type { RecordResult } from '../../src/domain/delivery/recording.js';
import type { Wakeup, WakeupKind } from '../../src/domain/transaction/wakeup.js';
import { DeliveryLane, type LaneDependencies } from '../../workers/delivery/lane.js';
import { createAttemptSender, type SendAttempt } from '../../workers/delivery/sender.js';
import { ClaimManager, type ClaimStore } from '../../workers/delivery/claim-manager.js';
import { type LeaseTimes } from '../../workers/delivery/lease-times.js';
import { ConcurrencyLimiter } from '../../workers/delivery/limiter.js';
import { Cancellations } from '../../workers/cancellations.js';
import { maxIsolationLockMs, Isolation } from '../../workers/delivery/isolation.js';
import { Poller } from '../../workers/delivery/poller.js';
import type { Random } from '../../tools/seed/random.js';
import type { MemoryStore, MemoryIsolationLock } from './memory-store.js';
import type { Parts } from './parts.js';
import type { Scenario } from './scenario.js';
import type { SimulatedDatabase } from './simulated-database.js';
import type { Counters, InvariantChecker } from './invariant-checker.js';
import type { Runner, VirtualTime } from './virtual-time.js';

/** A point at which a process may die or stall. */
export type CrashPoint = 'claim' | 'send' | 'answer' | 'record' | 'recorded';

/** The options of a {@link SimulatedWorker}. */
export interface WorkerOptions {
  readonly name: string;
  readonly scenario: Scenario;
  readonly times: LeaseTimes;
  readonly leases: Parts['leases'];
  readonly unconfirmed: Parts['unconfirmed'];
  readonly isolationWaits: boolean;
  readonly time: VirtualTime;
  readonly random: Random;
  readonly store: MemoryStore;
  readonly isolationLock: MemoryIsolationLock;
  readonly database: SimulatedDatabase;
  readonly invariants: InvariantChecker;
  readonly counters: Counters;
  readonly runner: Runner;
  readonly wake: (wakeups: readonly Wakeup[]) => void;
  /** Sends to the receiver of this claim; rejects when `signal` aborts. */
  readonly post: (claim: Claim, deliveryId: string, signal: AbortSignal) => Promise<PostResult>;
  /** Called at a point for faults. Returns a promise that resolves late, or never, if a fault happens there. */
  readonly maybeFail: (point: CrashPoint) => Promise<void> | undefined;
  readonly log: (line: string) => void;
  /** Called with a broken promise that the process would otherwise handle as its own error. */
  readonly onViolation: (error: unknown) => void;
}

/** A worker process made of the service's own parts, on a simulated clock, database and network. */
export class SimulatedWorker {
  readonly #options: WorkerOptions;
  readonly #lanes: Readonly<Record<Exclude<Lane, 'recovery'>, DeliveryLane>>;
  readonly #claimManager: ClaimManager;
  readonly #isolation: Isolation;
  readonly #poller: Poller;

  constructor(options: WorkerOptions) {
    this.#options = options;

    const { name, scenario, time, runner, random, store, isolationLock, database, wake, counters } =
      options;
    const { invariants, log } = options;
    const clock = time.clockOf(runner);
    this.#claimManager = new ClaimManager({
      store: this.#claimStore(),
      times: options.times,
      onRecorded: () => undefined,
      onRecordError: () => undefined,
      onDropped: ({ length }) => void (counters.dropped += length),
      onError: () => undefined,
      clock,
      leases: options.leases,
      unconfirmed: options.unconfirmed,
      makeToken: () => random.integer(1, 2 ** 31),
    });

    const { slots, perEndpoint, initial, perHost, perAccount, reserved } = scenario;
    const slotLimits = { initial, perHost, perAccount, reserved, clock };
    const live = this.#createLane('live', new ConcurrencyLimiter(slots, perEndpoint, slotLimits));
    const replay = this.#createLane(
      'replay',
      new ConcurrencyLimiter(slots, perEndpoint, slotLimits),
    );

    const isolated = this.#createLane('isolated', new ConcurrencyLimiter(1, 1, { clock }));
    void isolated.pause();
    this.#lanes = { live, replay, isolated };

    const lockMs = maxIsolationLockMs(scenario.timeoutMs);
    this.#isolation = new Isolation({
      acquireLock: () =>
        database.transact(() => store.hasIsolatedReady() && isolationLock.acquire(name, lockMs)),
      releaseLock: (cooldownMs) => database.transact(() => isolationLock.release(name, cooldownMs)),
      isolatedLane: isolated,
      otherLanes: [live, replay],
      unrecorded: () => this.#claimManager.resultWriter.backlog,
      lockMs,
      onError: () => undefined,
      clock,
    });

    const cancellations = new Cancellations({
      store: {
        next: (after) => database.transact(() => store.nextPendingCancellation(after)),
        cancelFromBacklog: (pendingCancellation, after) =>
          database.transact(() => {
            const cancelledFromBacklog = store.cancelFromBacklog(pendingCancellation, after);
            invariants.check();
            counters.cancelledFromBacklog += cancelledFromBacklog.cancelled;
            if (cancelledFromBacklog.cancelled > 0)
              log(`cancels ${cancelledFromBacklog.cancelled} of ${pendingCancellation.endpointId}`);
            return cancelledFromBacklog;
          }),
        cancelStale: (after) => database.transact(() => this.#cancel(after)),
      },
      clock,
    });

    this.#poller = new Poller({
      live,
      replay,
      isolation: this.#isolation,
      wake,
      claimManager: this.#claimManager,
      cancel: (backlog) => cancellations.poll(backlog),
      advanceSubjects: () => database.transact(() => store.advanceWaiting()),
      onWaiting: () => undefined,
      onFind: (finding, pendingDeliveries) => {
        if (finding === 'missed') counters.missed += pendingDeliveries;
      },
      onDeadLettered: () => undefined,
      onError: () => undefined,
      clock,
      random: random.next,
    });
  }

  /** The name of the process in traces. */
  get name(): string {
    return this.#options.name;
  }

  /** Whether the process has neither died nor ended. */
  get runs(): boolean {
    return !this.#options.runner.dead;
  }

  /** Handles a wake-up as the listeners of a worker do. */
  async wakeUp(kind: WakeupKind, scheduled: boolean): Promise<void> {
    if (kind === 'replay') await this.#lanes.replay.poll();
    if (kind !== 'due') return;
    // A fault leaves the wake-up to the poller.
    if (scheduled) await this.#poller.promote().catch(() => undefined);
    await this.#lanes.live.poll();
  }

  /** Stops in order: releases what was not sent, records what was. */
  async stop(drainMs: number): Promise<void> {
    const deliveries = async () => {
      await Promise.all(Object.values(this.#lanes).map((lane) => lane.stop(drainMs)));
      await this.#claimManager.close();
      await this.#isolation.ended();
      await this.#claimManager.retryReleases().catch(() => undefined);
    };
    await Promise.all([deliveries(), this.#poller.stop()]);
    this.#options.runner.dead = true;
  }

  #createLane(lane: Lane, limiter: ConcurrencyLimiter): DeliveryLane {
    const { times, isolationWaits, time, runner } = this.#options;
    const { resultWriter } = this.#claimManager;
    const reporter = {
      claimFailed: () => undefined,
      attemptFailed: () => undefined,
      releaseFailed: () => undefined,
    };

    const ignoresBacklog = lane === 'isolated' && !isolationWaits;
    return new DeliveryLane({
      lane,
      limiter,
      times,
      claimer: { claim: this.#claimer(lane) },
      claimManager: this.#unreliableClaimManager(),
      send: (...args) => this.#send(lane, ...args),
      // No simulated endpoint has a rate limit.
      reserveSendTimes: () => Promise.resolve([]),
      results: ignoresBacklog ? withoutBacklog(resultWriter) : resultWriter,
      reporter,
      clock: time.clockOf(runner),
    });
  }

  #claimer(lane: Lane) {
    const { times, database, store, invariants, log } = this.#options;
    const cursors = new ClaimCursors();
    return (capacity: Capacity, token: number) =>
      database.claim(() => {
        const claimed = store.claim({ lane, cursors, capacity, leaseMs: times.leaseMs, token });
        invariants.claimed(lane, claimed, times.leaseMs);
        const ids = claimed.map(({ pendingDeliveryId }) => pendingDeliveryId);
        if (ids.length > 0) log(`claims ${ids.join(' ')}`);
        return claimed;
      });
  }

  /** Returns the claim manager of this process. The process may die or stand still when a claim is back. */
  #unreliableClaimManager(): LaneDependencies['claimManager'] {
    const claimManager = this.#claimManager;
    return {
      claim: async (claim) => {
        const claims = await claimManager.claim(claim);
        if (claims.length > 0) await this.#options.maybeFail('claim');
        return claims;
      },
      release: (claims) => claimManager.release(claims),
      defer: (claim, endpoint) => claimManager.defer(claim, endpoint),
    };
  }

  #send(lane: Lane, ...[claim, elapsedMs, signal]: Parameters<SendAttempt>) {
    const webhookClient = {
      post: (_url: string, headers: Readonly<Record<string, string>>) =>
        this.#post(lane, claim, headers['X-Service-Delivery-Id'] ?? '', signal),
    };
    // Signing adds bytes, and no decision of the engine depends on them.
    const secrets = { of: () => [], privateKeysOf: () => [], headersOf: () => undefined };
    const contentType = 'application/json';
    const options = { webhookClient, secrets, contentType, keepResponses: true } as const;
    return createAttemptSender(options)(claim, elapsedMs, signal);
  }

  async #post(
    lane: Lane,
    claim: Claim,
    deliveryId: string,
    signal: AbortSignal,
  ): Promise<PostResult> {
    const { invariants, runner, post, maybeFail, counters, onViolation } = this.#options;
    try {
      invariants.started(runner, lane, claim, this.#claimManager.resultWriter.backlog);
    } catch (error) {
      onViolation(error);
      throw error;
    }

    try {
      const answer = post(claim, deliveryId, signal);
      await maybeFail('send');
      const attempt = await answer;
      await maybeFail('answer');
      return attempt;
    } catch (error) {
      counters.aborted += 1;
      throw error;
    } finally {
      invariants.finished(runner, lane, claim);
    }
  }

  async #recordResults(ended: readonly EndedAttempt[]): Promise<RecordResult> {
    const { store, database, invariants, maybeFail, log, counters } = this.#options;
    await maybeFail('record');

    const result = await database.record(() => {
      const { recorded, disabled } = store.recordResults(ended);
      invariants.recorded(ended, { recorded, disabled });
      invariants.check();
      for (const { ended: attempt, status } of recorded) {
        log(
          `settles ${attempt.claim.pendingDeliveryId} attempt ${attempt.claim.attempt}: ${status}`,
        );
      }
      for (const id of disabled) log(`disables ${id}`);
      counters.records += recorded.length;
      counters.staleResults += ended.length - recorded.length;
      counters.disabled += disabled.length;
      return { recorded, disabled };
    });

    await maybeFail('recorded');

    return result;
  }

  #claimStore(): ClaimStore {
    const { database, store } = this.#options;
    return {
      recordResults: (ended) => this.#recordResults(ended),
      extend: (tokens, leaseMs) => database.transact(() => this.#extend(tokens, leaseMs)),
      release: (claims) => database.transact(() => this.#release(claims)),
      defer: (claim, endpoint) => database.transact(() => this.#defer(claim, endpoint)),
      releaseUnconfirmed: (tokens) => database.transact(() => this.#releaseUnconfirmed(tokens)),
      deleteLeases: (tokens) => database.transact(() => store.deleteLeases(tokens)),
      promote: (endedBy) => database.transact(() => this.#promote(endedBy)),
      poll: (endedBy) =>
        database.transact(() => ({ waiting: store.waiting(), ...this.#promote(endedBy) })),
    };
  }

  #extend(tokens: readonly number[], leaseMs: number): number[] {
    const { store, invariants, counters, log } = this.#options;
    const extended = store.extendLeases(tokens, leaseMs);
    invariants.extended(extended, leaseMs);
    counters.extended += extended.length;
    log(`extends ${extended.length} of ${tokens.length} leases`);
    return extended;
  }

  #promote(endedBy: number) {
    const { store, invariants, counters, log } = this.#options;
    const promoted = store.promote(endedBy);
    invariants.interrupted(promoted.interrupted);
    invariants.deadLettered(promoted.deadLettered);
    counters.interrupted += promoted.interrupted;
    counters.deadLettered += promoted.deadLettered.length;
    for (const id of promoted.deadLettered) log(`dead-letters ${id}`);
    return promoted;
  }

  #cancel(after: string) {
    const { store, invariants } = this.#options;
    const result = store.cancelStale(after);
    invariants.check();
    return result;
  }

  #release(claims: readonly Claim[]): void {
    const { store, invariants, counters } = this.#options;
    store.release(claims);
    invariants.released(claims);
    counters.released += claims.length;
  }

  #releaseUnconfirmed(tokens: readonly number[]) {
    const { store, invariants, counters, log } = this.#options;
    const claims = [...store.pendingDeliveries.values()].flatMap(
      ({ id: pendingDeliveryId, leaseToken: token }) =>
        token !== null && tokens.includes(token) ? { pendingDeliveryId, token } : [],
    );
    const ids = claims.map(({ pendingDeliveryId }) => pendingDeliveryId);
    if (ids.length > 0) log(`releases ${ids.join(' ')}, claimed without an answer`);
    invariants.released(claims);
    counters.unconfirmed += claims.length;
    return store.releaseUnconfirmed(tokens);
  }

  #defer(...[claim, endpoint]: Parameters<ClaimStore['defer']>): void {
    const { store, invariants } = this.#options;
    store.defer(claim, endpoint);
    invariants.released([claim]);
  }
}

/** Hides what waits to be recorded from a lane, which is a planted bug. */
function withoutBacklog(results: LaneDependencies['results']): LaneDependencies['results'] {
  return {
    add: (ended, until) => results.add(ended, until),
    backlog: 0,
    get recordingCapacity() {
      return results.recordingCapacity;
    },
  };
}
