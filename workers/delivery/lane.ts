// One lane of a process: when to claim, claim, buffer, start, send, record, release.
//
// One claim runs at a time. It brings deliveries for the free slots and for those that become free while it
// runs; claims beyond the free slots wait in the buffer. The next claim begins while slots are free and results
// are not piling up, or when a wake-up, a poll or a freed slot says that there may be something to claim.
//
// Whenever a slot is free, the first buffered claim that fits starts its attempt. Claims of endpoints with a
// rate limit wait apart for their send times (rate-limit.ts). Attempts never wait for one another.
//
// Invariants: a buffered claim starts within the start timeout or is released; a stop releases all claims that
// have not started. A crash leaves the leases of the claims, and another worker sends their deliveries when
// these end.
import { setMaxListeners } from 'node:events';
import type { EndedAttempt } from '../../src/domain/delivery/attempt.js';
import type { Capacity, Claim, Lane } from '../../src/domain/delivery/claim.js';
import type { EndpointWait } from '../../src/domain/delivery/leases.js';
import { isResponse } from '../../src/domain/delivery/outcome.js';
import { timestampOf } from '../../src/domain/values/id.js';
import type { WebhookClient } from '../../src/outbound/post.js';
import { ProxyFault } from '../../src/outbound/proxy.js';
import { type Clock, delay, processClock } from '../clock.js';
import type { AttemptReporter } from './attempt-reporter.js';
import type { ClaimManager } from './claim-manager.js';
import { ClaimSizer } from './claim-sizer.js';
import type { LeaseTimes } from './lease-times.js';
import type { BufferedClaim, ConcurrencyLimiter, SlotResult } from './limiter.js';
import {
  RateLimitedClaims,
  SendTimeMissed,
  SendTimes,
  type SendTimesOptions,
} from './rate-limit.js';
import type { ResultWriter } from './results.js';
import { NoSecretOpens, type SendAttempt } from './sender.js';
import type { WarmStart } from './warm-start.js';

/** What a lane needs; tests and the simulation replace what reaches outside the process. */
export interface LaneDependencies {
  readonly lane: Lane;
  readonly limiter: ConcurrencyLimiter;
  readonly times: Omit<LeaseTimes, 'graceMs'>;
  /** Claims ready pending deliveries under `token`. */
  readonly claimer: { claim(capacity: Capacity, token: number): Promise<Claim[]> };
  readonly claimManager: Pick<ClaimManager, 'claim' | 'release' | 'defer'>;
  readonly send: SendAttempt;
  /** The lane claims nothing while it is not available. Defaults to always available. */
  readonly webhookClient?: Pick<WebhookClient, 'isAvailable'>;
  readonly reserveSendTimes: SendTimesOptions['reserve'];
  readonly results: Pick<ResultWriter, 'add' | 'backlog' | 'recordingCapacity'>;
  readonly reporter: Pick<AttemptReporter, 'claimFailed' | 'attemptFailed' | 'releaseFailed'>;
  /** Defaults to none: endpoints earn their slots again. */
  readonly warmStart?: Pick<WarmStart, 'restoreFor'>;
  /** Defaults to the process clock. */
  readonly clock?: Clock;
  /** At least 0, below 1. Defaults to Math.random. */
  readonly random?: () => number;
}

/** Pause before the lane checks again whether enough is recorded to claim. */
const recordWaitMs = 10;

/** While all other slots are taken, how often the lane claims for accounts that hold none. */
const reservedPollMs = 50;

/** With this many free slots or more, the lane claims without a pause. */
const minSlotsWithoutPause = 50;

/** Starting this many attempts at once delays the next claim, so they start one event-loop turn later. */
const largeBatch = 50;

/** A delivery that an error of the service keeps waiting is retried at least this often. */
const maxWaitMs = 300_000;

/** Claims and sends the deliveries of one lane. */
export class DeliveryLane {
  readonly #dependencies: LaneDependencies;
  readonly #clock: Clock;
  readonly #spacing: LaneSpacing;
  readonly #claimSizer: ClaimSizer;
  readonly #buffer: ClaimBuffer;
  readonly #rateLimited: RateLimitedClaims;
  readonly #stopping = new AbortController();
  /** Aborts the attempts in flight. */
  readonly #aborting = new AbortController();
  readonly #abortedClaims: Claim[] = [];

  #isPaused = false;
  /** What polls wait for during a pause. */
  #resumed = Promise.resolve(0);
  #endPause: (() => void) | undefined;

  /** False while the lane is paused or stopped: then it releases what it claims. May change with each await. */
  #isOpen = true;

  #pollRequested = false;
  #polls = 0;
  #polling: Promise<number> | undefined;
  #cancelPollTimer: (() => void) | undefined;

  /** Whether no attempt may start, because another one has just started. */
  #isSpacingStarts = false;

  constructor(dependencies: LaneDependencies) {
    const { lane, limiter, results, times, reporter, reserveSendTimes } = dependencies;
    const { clock = processClock, random = Math.random } = dependencies;
    this.#dependencies = dependencies;
    this.#clock = clock;
    this.#spacing = lane === 'recovery' ? gentle : eager;
    this.#claimSizer = new ClaimSizer({ limiter, results, isolated: lane === 'isolated' });

    this.#buffer = new ClaimBuffer({
      clock,
      startTimeoutMs: times.startTimeoutMs,
      onTimeout: (claims) => void this.#releaseSlots(claims),
    });

    this.#rateLimited = new RateLimitedClaims({
      sendTimes: new SendTimes({ reserve: reserveSendTimes, lane, clock, random }),
      clock,
      maxWaiting: limiter.slots,
      startTimeoutMs: times.startTimeoutMs,
      onSendTimeNear: (claims) => this.#startRateLimited(claims),
      onGivenUp: (claims) => void this.#release(claims),
      onMayClaimMore: () => this.#pollSoon(),
      onError: (error) => reporter.claimFailed(error, lane),
    });

    // Every attempt in flight listens to it.
    setMaxListeners(0, this.#aborting.signal);
  }

  /** Number of calls of {@link poll}. */
  get polls(): number {
    return this.#polls;
  }

  /** Free slots. */
  get free(): number {
    return this.#dependencies.limiter.free;
  }

  /**
   * Claims ready pending deliveries until none is left for the free slots. The first claim begins after
   * this call. Never throws.
   *
   * It waits while the lane is full or paused, while other processes hear the same signals. It claims nothing
   * while the proxy fails.
   * @returns the number of pending deliveries claimed by this poll and the polls it joined
   */
  poll(): Promise<number> {
    if (this.#stopping.signal.aborted) return Promise.resolve(0);
    this.#pollRequested = true;
    this.#polls += 1;
    if (this.#isPaused) return this.#resumed;
    if (!this.#maySend) return Promise.resolve(0);
    this.#polling ??= this.#claimUntilEmpty();
    return this.#polling;
  }

  /**
   * Stops claiming until {@link resume}, releases buffered claims and waits for the attempts in flight.
   * Polls requested meanwhile run after {@link resume}.
   */
  async pause(): Promise<void> {
    if (!this.#isPaused)
      this.#resumed = new Promise((resolve) => (this.#endPause = () => resolve(0)));
    this.#isPaused = true;
    // Closed first: otherwise buffered claims start as soon as the running poll stops waiting for a slot.
    await this.#close();
    await this.#polling;
    await this.#dependencies.limiter.idle();
  }

  /** Claims again after {@link pause}. @returns as {@link poll} */
  resume(): Promise<number> {
    this.#isPaused = false;
    if (!this.#stopping.signal.aborted) this.#isOpen = true;
    this.#endPause?.();
    return this.poll();
  }

  /**
   * Stops claiming, releases buffered claims and waits for the attempts in flight. After `limitMs`
   * milliseconds it aborts them and releases their claims too.
   */
  async stop(limitMs: number): Promise<void> {
    this.#stopping.abort();
    this.#cancelPollTimer?.();
    this.#endPause?.();
    // Closed first, for the reason given in pause().
    await this.#close();
    await this.#polling;

    const abort = () => this.#aborting.abort(new Error('stopping'));
    const cancelLimitTimer = this.#clock.after(limitMs, abort);
    await this.#dependencies.limiter.idle();
    cancelLimitTimer();
    await this.#release(this.#abortedClaims.splice(0));
  }

  /** Starts no further attempt and releases the claims that wait. */
  async #close(): Promise<void> {
    this.#isOpen = false;
    await Promise.all([
      this.#releaseSlots(this.#buffer.takeAll()),
      this.#release(this.#rateLimited.takeAll()),
    ]);
  }

  get #maySend(): boolean {
    return this.#dependencies.webhookClient?.isAvailable ?? true;
  }

  /** How many deliveries the next claim takes: none once the lane has closed, which may happen during an await. */
  get #claimSize(): number {
    return this.#isOpen ? this.#claimSizer.size : 0;
  }

  /** Claims again and again while more may be ready, and reports a claim that failed. Never throws. */
  async #claimUntilEmpty(): Promise<number> {
    const { limiter, lane, reporter } = this.#dependencies;
    const { signal } = this.#stopping;
    const claimSizer = this.#claimSizer;
    let claimed = 0;
    try {
      while (this.#pollRequested && this.#isOpen && this.#maySend) {
        const limitMs = limiter.reserved > 0 ? reservedPollMs : undefined;
        if (!(await limiter.waitForCapacity(signal, claimSizer.prefetch, limitMs))) {
          claimed += await this.#claimReserved();
          continue;
        }

        const slots = this.#claimSize;
        this.#pollRequested = false;

        const count = slots > 0 ? await this.#claim(limiter.capacityFor(slots)) : 0;
        claimed += count;
        if (count < slots && !limiter.mayClaimMore) continue;

        // More may be ready than this claim could take.
        this.#pollRequested = true;

        if (slots <= 0) await delay(this.#clock, recordWaitMs, signal);
        else if (claimSizer.size < minSlotsWithoutPause)
          await delay(this.#clock, this.#spacing.claimMs, signal);
      }
    } catch (error) {
      reporter.claimFailed(error, lane);
    } finally {
      // In the event-loop turn of the last read of `pollRequested`, so that a later poll() starts a new loop.
      this.#polling = undefined;
    }

    return claimed;
  }

  /** Claims for accounts that hold no slot: they do not wait until another account frees one. */
  async #claimReserved(): Promise<number> {
    const slots = this.#isOpen ? this.#claimSizer.reservedSize : 0;
    if (slots <= 0) return 0;
    return this.#claim(this.#dependencies.limiter.reservedCapacityFor(slots));
  }

  /** Polls after the pause between two claims, so that one claim fills several freed slots. */
  #pollSoon(): void {
    if (this.#stopping.signal.aborted) return;
    this.#cancelPollTimer ??= this.#clock.after(this.#spacing.claimMs, () => {
      this.#cancelPollTimer = undefined;
      void this.poll();
    });
  }

  /**
   * Claims at most what is `allowed` and buffers it; releases it if it came back too late or the lane has closed.
   * @returns how many pending deliveries were claimed
   */
  async #claim(allowed: Capacity): Promise<number> {
    const { claimManager, claimer, times, warmStart } = this.#dependencies;
    const rateLimited = this.#rateLimited.grantRoom();
    const capacity = rateLimited.length > 0 ? { ...allowed, rateLimited } : allowed;
    const startedAt = this.#clock.now();

    this.#claimSizer.claimStarts();

    const claims = await claimManager
      .claim((token) => claimer.claim(capacity, token))
      .catch((error: unknown) => {
        this.#claimSizer.shrink();
        throw error;
      });

    warmStart?.restoreFor(claims);

    const claimedAt = this.#clock.now();
    const isLate = claimedAt - startedAt > times.claimTimeoutMs;
    if (isLate) this.#claimSizer.shrink();
    else this.#claimSizer.claimReturned(claims);

    if (isLate || !this.#isOpen) await this.#release(claims);
    else this.#add(claims, capacity, claimedAt);

    return claims.length;
  }

  /** Holds back what has a rate limit, and takes a slot and a place in the buffer for each other claim. */
  #add(claimed: readonly Claim[], capacity: Capacity, claimedAt: number): void {
    // An isolated delivery runs alone, so it may hold its slot while it waits for its send time.
    const isIsolated = this.#dependencies.lane === 'isolated';
    const claims = isIsolated ? claimed : this.#rateLimited.holdBack(claimed, capacity, claimedAt);
    this.#dependencies.limiter.acquireClaimed(claims, capacity);
    this.#buffer.add(claims, claimedAt);

    if (claims.length >= largeBatch) this.#clock.after(0, () => this.#startAttempts());
    else this.#startAttempts();
    this.#buffer.startTimeout();
  }

  /** Starts the attempts of claims whose send times are near, before all others. */
  #startRateLimited(claims: readonly BufferedClaim[]): void {
    const { acquired, full } = this.#dependencies.limiter.acquireFree(claims);
    void this.#release(full);
    this.#buffer.addFirst(acquired);
    this.#startAttempts();
    this.#buffer.startTimeout();
  }

  /** Starts the attempts of buffered claims, as far as the limits and the spacing of the lane allow. */
  #startAttempts(): void {
    const { limiter } = this.#dependencies;
    while (!this.#isSpacingStarts && limiter.anyMayStart) {
      const next = this.#buffer.next((claim) => limiter.mayStart(claim));
      if (!next) return;
      this.#spaceStarts();
      void this.#attempt(next.claim, next.claimedAt);
    }
  }

  /** Keeps the pause between the starts of two attempts. */
  #spaceStarts(): void {
    if (this.#spacing.startMs === 0) return;
    this.#isSpacingStarts = true;
    this.#clock.after(this.#spacing.startMs, () => {
      this.#isSpacingStarts = false;
      this.#startAttempts();
    });
  }

  /** Sends one delivery, unless it was buffered for too long, and frees its slot. */
  async #attempt(claim: Claim, claimedAt: number): Promise<void> {
    const { limiter, times, send } = this.#dependencies;
    const { signal } = this.#aborting;
    const bufferedMs = this.#clock.now() - claimedAt;
    let result: SlotResult = 'notStarted';
    let startedAt: number | undefined;
    try {
      if (bufferedMs > times.startTimeoutMs) {
        await this.#release([claim]);
        return;
      }

      startedAt = limiter.start(claim.endpointId);
      result = 'internalError';

      const attempt = (gate?: () => Promise<void>) => send(claim, bufferedMs, signal, gate);
      const ended = await (claim.maxPerSecond === null
        ? attempt()
        : this.#rateLimited.attempt(claim, claimedAt, attempt));

      result = isResponse(ended.outcome) ? 'responded' : 'noResponse';
      this.#record(ended, claimedAt);
    } catch (error) {
      await this.#giveUp(claim, error);
    } finally {
      const mayClaimMore = limiter.release(claim.endpointId, result, startedAt);
      this.#startAttempts();
      this.#claimSizer.attemptEnded();
      if (mayClaimMore) this.#pollSoon();
    }
  }

  /** Hands the result to the result writer, which retries and keeps the lease until it is recorded. */
  #record(ended: EndedAttempt, claimedAt: number): void {
    const { results, times } = this.#dependencies;
    results.add(ended, claimedAt + times.leaseMs);
  }

  /** Releases or defers a claim whose attempt ended with `error` instead of a result. */
  async #giveUp(claim: Claim, error: unknown): Promise<void> {
    const { lane, reporter } = this.#dependencies;

    if (this.#aborting.signal.aborted) {
      this.#abortedClaims.push(claim);
      return;
    }

    const missedSendTime = error instanceof SendTimeMissed;
    const isProxyFault = error instanceof ProxyFault;

    // With a general fault the lane claims nothing until the proxy is back.
    if ((missedSendTime && lane !== 'isolated') || (isProxyFault && error.isGeneral)) {
      void this.#release([claim]);
      return;
    }

    // An isolated delivery that missed its send time would be claimed again at once, so it is deferred as well.
    const endpointWaits = isProxyFault || error instanceof NoSecretOpens;
    if (!missedSendTime && !endpointWaits) reporter.attemptFailed(error, claim);

    // The claim keeps its slot meanwhile, because the next claim would fail in the same way.
    await this.#defer(claim, endpointWaits ? { lane, waitMs: growingWaitMs(claim) } : undefined);
  }

  /** Waits until the claim is deferred, but not for long if PostgreSQL does not answer. Never throws. */
  async #defer(claim: Claim, endpoint?: EndpointWait): Promise<void> {
    const { claimManager, reporter, times } = this.#dependencies;
    const deferred = new AbortController();
    void claimManager
      .defer(claim, endpoint)
      .catch((error: unknown) => reporter.releaseFailed(error))
      .finally(() => deferred.abort());
    await delay(this.#clock, times.startTimeoutMs, deferred.signal);
  }

  /** Releases claims and the slots that they hold. Never throws. */
  async #releaseSlots(claims: readonly Claim[]): Promise<void> {
    for (const { endpointId } of claims)
      this.#dependencies.limiter.release(endpointId, 'notStarted');
    await this.#release(claims);
  }

  /** Releases claims that hold no slot. Never throws: leases and polls repair what fails. */
  async #release(claims: readonly Claim[]): Promise<void> {
    if (claims.length === 0) return;
    const { claimManager, reporter } = this.#dependencies;
    await claimManager.release(claims).catch((error: unknown) => reporter.releaseFailed(error));
  }
}

interface ClaimBufferOptions {
  readonly clock: Clock;
  /** A claim is buffered for at most this long. */
  readonly startTimeoutMs: number;
  /** Called with claims that were buffered for too long and have left. */
  readonly onTimeout: (claims: readonly Claim[]) => void;
}

/** Claims that wait for their attempts to start, in that order; none waits longer than the start timeout. */
class ClaimBuffer {
  readonly #options: ClaimBufferOptions;
  #claims: BufferedClaim[] = [];
  #cancelTimer: (() => void) | undefined;

  constructor(options: ClaimBufferOptions) {
    this.#options = options;
  }

  /** Adds claims after all others. @param claimedAt no earlier than that of the claims buffered before */
  add(claims: readonly Claim[], claimedAt: number): void {
    for (const claim of claims) this.#claims.push({ claim, claimedAt });
  }

  /** Adds claims that are to start before all others. */
  addFirst(claims: readonly BufferedClaim[]): void {
    this.#claims.unshift(...claims);
  }

  /** Removes and returns the first claim that fits. */
  next(fits: (claim: Claim) => boolean): BufferedClaim | undefined {
    const index = this.#claims.findIndex(({ claim }) => fits(claim));
    return index < 0 ? undefined : this.#claims.splice(index, 1)[0];
  }

  /** Removes and returns all claims. */
  takeAll(): Claim[] {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const taken = this.#claims;
    this.#claims = [];
    return taken.map(({ claim }) => claim);
  }

  /** Starts the timer that removes claims when their time is over, unless it runs. */
  startTimeout(): void {
    const [first] = this.#claims;
    if (!first || this.#cancelTimer) return;
    const { clock, startTimeoutMs, onTimeout } = this.#options;
    const leftMs = first.claimedAt + startTimeoutMs - clock.now();
    this.#cancelTimer = clock.after(Math.max(1, leftMs), () => {
      this.#cancelTimer = undefined;
      const latest = clock.now() - startTimeoutMs;
      const timedOut = this.#claims.filter(({ claimedAt }) => claimedAt <= latest);
      this.#claims = this.#claims.filter(({ claimedAt }) => claimedAt > latest);
      if (timedOut.length > 0) onTimeout(timedOut.map(({ claim }) => claim));
      this.startTimeout();
    });
  }
}

/**
 * How long a delivery waits that no key can sign, or to whose receiver the proxy opens no tunnel by its own fault: as
 * long again as it has waited, so that the wait doubles each time.
 */
function growingWaitMs({ pendingDeliveryId, claimedAt }: Claim): number {
  const ageMs = claimedAt.getTime() - timestampOf(pendingDeliveryId).getTime();
  return Math.min(Math.max(0, ageMs), maxWaitMs);
}

/** How a lane spreads its work over time. */
interface LaneSpacing {
  /** Pause between two claims of a busy lane, so that one claim fills several slots. */
  readonly claimMs: number;
  /** Pause between the starts of two attempts; 0 for none. */
  readonly startMs: number;
}

/** A claim takes what is due at once, and its attempts start together. */
const eager: LaneSpacing = { claimMs: 1, startMs: 0 };

/**
 * For recoveries: live deliveries and replays wait for each claim that PostgreSQL executes and for each attempt that
 * starts before theirs. With ten deliveries in a claim this is enough for 500 a second.
 */
const gentle: LaneSpacing = { claimMs: 10, startMs: 1 };
