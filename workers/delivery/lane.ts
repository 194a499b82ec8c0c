// Runs one lane: claim, buffer, send, record.
//
// A claim brings deliveries for free slots and some more, which wait in the buffer. Whenever a slot is free, the first buffered
// claim that fits starts its attempt; claims of endpoints with a rate limit wait apart for their send times. Attempts never wait
// for one another.
//
// Invariants: a buffered claim starts within the start timeout or is released; a stop releases all claims that have not started.
import { setMaxListeners } from 'node:events';
import type { EndedAttempt } from '../../src/domain/delivery/attempt.js';
import type { Capacity, Claim, Lane } from '../../src/domain/delivery/claim.js';
import type { EndpointWait } from '../../src/domain/delivery/leases.js';
import { isResponse } from '../../src/domain/delivery/outcome.js';
import { timestampOf } from '../../src/domain/values/id.js';
import { type Clock, delay, processClock } from '../clock.js';
import type { AttemptReporter } from './attempt-reporter.js';
import { type BufferedClaim, ClaimBuffer } from './claim-buffer.js';
import { ClaimSizer } from './claim-sizer.js';
import type { ClaimManager } from './claims.js';
import type { LeaseTimes } from './lease-times.js';
import { acquireFree, type ConcurrencyLimiter, type SlotResult } from './limiter.js';
import {
  RateLimitedClaims,
  SendTimeMissed,
  SendTimes,
  type SendTimesOptions,
} from './rate-limit.js';
import type { ResultWriter } from './results.js';
import { NoSecretOpens, type SendAttempt } from './sender.js';
import type { WarmStart } from './warm-start.js';

/** Starting this many attempts at once delays the next claim, so they start one event-loop turn later. */
const largeBatch = 50;

/** When the right key is back, a delivery waits for it at most this long. */
const maxKeyWaitMs = 300_000;

/** Runs one lane of a process. */
export class DeliveryLane {
  readonly sizer: ClaimSizer;
  readonly #dependencies: LaneDependencies;
  readonly #clock: Clock;
  readonly #claimAgain: () => void;
  readonly #buffered: ClaimBuffer;
  readonly #rateLimited: RateLimitedClaims;
  readonly #spacer: StartSpacer;
  readonly #aborting = new AbortController();
  readonly #aborted: Claim[] = [];
  #isOpen = true;

  /** @param claimAgain called when a full endpoint has a free slot again: claims may have skipped it */
  constructor(parts: LaneDependencies, claimAgain: () => void) {
    const { lane, limiter, results, clock = processClock } = parts;
    const { startTimeoutMs } = parts.times;
    this.#dependencies = parts;
    this.#clock = clock;
    this.#claimAgain = claimAgain;
    this.sizer = new ClaimSizer({ limiter, results, isolated: lane === 'isolated' });
    const onTimeout = (claims: readonly Claim[]) => void this.#releaseSlots(claims);
    this.#buffered = new ClaimBuffer({ clock, startTimeoutMs, onTimeout });
    this.#rateLimited = this.#createRateLimited(clock);
    this.#spacer = new StartSpacer(lane, clock, () => this.#startAttempts());
    // Every attempt in flight listens to it.
    setMaxListeners(0, this.#aborting.signal);
  }

  /** Whether claims are attempted; otherwise they are released. */
  mayClaim(): boolean {
    return this.#isOpen;
  }

  /** Claims at most what is `allowed` and buffers it. @returns how many pending deliveries were claimed */
  async claim(allowed: Capacity): Promise<number> {
    const { claims, claimer, times, warmStart } = this.#dependencies;
    const rateLimited = this.#rateLimited.endpoints();
    const capacity = rateLimited.length > 0 ? { ...allowed, rateLimited } : allowed;
    const startedAt = this.#clock.now();
    this.sizer.claimStarts();
    const claimed = await claims
      .claim((token) => claimer.claim(capacity, token))
      .catch((error: unknown) => {
        this.sizer.shrink();
        throw error;
      });

    warmStart?.claimed(claimed);

    const claimedAt = this.#clock.now();
    const tookMs = claimedAt - startedAt;
    const isLate = tookMs > times.claimTimeoutMs;
    if (isLate) this.sizer.shrink();
    else this.sizer.claimed(claimed);
    if (isLate || !this.#isOpen) await this.#release(claimed);
    else this.#buffer(claimed, capacity, claimedAt);

    return claimed.length;
  }

  /** Holds a slot for each claim, and keeps the claim until its attempt may start. */
  #buffer(claimed: readonly Claim[], capacity: Capacity, claimedAt: number): void {
    // An isolated delivery runs alone, so it may hold its slot while it waits.
    const isIsolated = this.#dependencies.lane === 'isolated';
    const claims = isIsolated ? claimed : this.#rateLimited.take(claimed, capacity, claimedAt);
    this.#dependencies.limiter.claimed(claims, capacity);
    this.#buffered.add(claims, claimedAt);
    if (claims.length >= largeBatch) this.#clock.after(0, () => this.#startAttempts());
    else this.#startAttempts();
    this.#buffered.startTimeout();
  }

  /** Starts attempts whose send times come. */
  #startRateLimited(due: readonly BufferedClaim[]): void {
    const { acquired, full } = acquireFree(this.#dependencies.limiter, due);
    void this.#release(full);
    this.#buffered.addFirst(acquired);
    this.#startAttempts();
    this.#buffered.startTimeout();
  }

  #startAttempts(): void {
    const { limiter } = this.#dependencies;
    while (this.#spacer.mayStart && limiter.anyMayStart) {
      const next = this.#buffered.next((claim) => limiter.mayStart(claim));
      if (!next) return;
      this.#spacer.started();
      void this.#attempt(next.claim, next.claimedAt);
    }
  }

  /** Sends one delivery, unless it was buffered for too long, and frees its slot. */
  async #attempt(claim: Claim, claimedAt: number): Promise<void> {
    const { lane, limiter, log, times, send } = this.#dependencies;
    const { signal } = this.#aborting;
    const bufferedMs = this.#clock.now() - claimedAt;
    let result: SlotResult = 'notStarted';
    let startedAt: number | undefined;
    try {
      if (bufferedMs > times.startTimeoutMs) {
        await this.#release([claim]);
        return;
      }

      startedAt = limiter.started(claim.endpointId);
      result = 'internalError';

      const attempt = (gate?: () => Promise<void>) => send(claim, bufferedMs, signal, gate);
      const waits = claim.maxPerSecond !== null && this.#rateLimited;
      const ended = await (waits ? waits.attempt(claim, claimedAt, attempt) : attempt());
      result = isResponse(ended.outcome) ? 'responded' : 'noResponse';
      this.#record(ended, claimedAt);
    } catch (error) {
      if (signal.aborted) this.#aborted.push(claim);
      else if (error instanceof SendTimeMissed && lane !== 'isolated') void this.#release([claim]);
      else {
        // An isolated delivery that missed its send time would be claimed again at once.
        const waitsForKey = error instanceof NoSecretOpens;
        if (!(error instanceof SendTimeMissed) && !waitsForKey) log.attemptFailed(error, claim);
        const endpoint = waitsForKey ? { lane, waitMs: keyWaitMs(claim) } : undefined;
        // It keeps its slot meanwhile: what is claimed next would fail alike.
        await this.#defer(claim, endpoint);
      }
    } finally {
      const mayHaveSkipped = limiter.release(claim.endpointId, result, startedAt);
      this.#startAttempts();
      this.sizer.attemptEnded();
      if (mayHaveSkipped) this.#claimAgain();
    }
  }

  /** Hands the result to the result writer, which retries and keeps the lease until it is recorded. */
  #record(ended: EndedAttempt, claimedAt: number): void {
    this.#dependencies.results.add(ended, claimedAt + this.#dependencies.times.leaseMs);
  }

  /** Allows attempts for later claims. */
  open(): void {
    this.#isOpen = true;
  }

  /** Starts no further attempt and releases the buffered claims. */
  async close(): Promise<void> {
    this.#isOpen = false;
    await Promise.all([
      this.#releaseSlots(this.#buffered.takeAll()),
      this.#release(this.#rateLimited.takeAll()),
    ]);
  }

  /** Waits for the attempts in flight; after `limitMs` it aborts them and releases their claims. */
  async drain(limitMs: number): Promise<void> {
    const abort = () => this.#aborting.abort(new Error('stopping'));
    const cancelLimitTimer = this.#clock.after(limitMs, abort);
    await this.#dependencies.limiter.idle();
    cancelLimitTimer();
    await this.#release(this.#aborted.splice(0));
  }

  async #releaseSlots(claims: readonly Claim[]): Promise<void> {
    for (const { endpointId } of claims)
      this.#dependencies.limiter.release(endpointId, 'notStarted');
    await this.#release(claims);
  }

  /** Releases claims that hold no slot. Never throws: leases and polls repair what fails. */
  async #release(claims: readonly Claim[]): Promise<void> {
    if (claims.length === 0) return;
    const { claims: manager, log } = this.#dependencies;
    await manager.release(claims).catch((error: unknown) => log.releaseFailed(error));
  }

  #createRateLimited(clock: Clock): RateLimitedClaims {
    const { lane, limiter, log, reserveSendTimes: reserve, times, random } = this.#dependencies;
    return new RateLimitedClaims({
      times: new SendTimes({ reserve, lane, clock, random: random ?? Math.random }),
      clock,
      maxWaiting: limiter.slots,
      startTimeoutMs: times.startTimeoutMs,
      onDue: (claims) => this.#startRateLimited(claims),
      onRelease: (claims) => void this.#release(claims),
      onRoom: this.#claimAgain,
      onError: (error) => log.claimFailed(error, lane),
    });
  }

  /** Waits until the claim is deferred, but not for long if PostgreSQL does not answer. Never throws. */
  async #defer(claim: Claim, endpoint?: EndpointWait): Promise<void> {
    const { claims, log, times } = this.#dependencies;
    const deferred = new AbortController();
    void claims
      .defer(claim, endpoint)
      .catch((cause: unknown) => log.releaseFailed(cause))
      .finally(() => deferred.abort());
    await delay(this.#clock, times.startTimeoutMs, deferred.signal);
  }
}

/**
 * How long a delivery waits that no key can sign: as long again as it has waited, so that the wait doubles
 * each time.
 */
function keyWaitMs({ pendingDeliveryId, claimedAt }: Claim): number {
  const ageMs = claimedAt.getTime() - timestampOf(pendingDeliveryId).getTime();
  return Math.min(Math.max(0, ageMs), maxKeyWaitMs);
}

/** The parts of one lane; tests and the simulation replace those that reach outside the process. */
export interface LaneDependencies {
  readonly lane: Lane;
  readonly limiter: ConcurrencyLimiter;
  readonly times: Omit<LeaseTimes, 'graceMs'>;
  /** Claims ready pending deliveries under `token`. */
  readonly claimer: { claim(capacity: Capacity, token: number): Promise<Claim[]> };
  readonly claims: Pick<ClaimManager, 'claim' | 'release' | 'defer'>;
  readonly send: SendAttempt;
  readonly reserveSendTimes: SendTimesOptions['reserve'];
  readonly results: Pick<ResultWriter, 'add' | 'backlog' | 'recordingCapacity'>;
  readonly log: Pick<AttemptReporter, 'claimFailed' | 'attemptFailed' | 'releaseFailed'>;
  /** Defaults to none: endpoints earn their slots again. */
  readonly warmStart?: Pick<WarmStart, 'claimed'>;
  /** Defaults to the process clock. */
  readonly clock?: Clock;
  /** At least 0, below 1. Defaults to Math.random. */
  readonly random?: () => number;
}

/** How a lane spreads its work over time. */
export interface LaneSpacing {
  /** Pause between two claims of a busy lane, so that one claim fills several slots. */
  readonly claimMs: number;
  /** Pause between the starts of two attempts; 0 for none. */
  readonly startMs: number;
}

/** A claim takes what is due at once, and its attempts start together. */
const eager: LaneSpacing = { claimMs: 1, startMs: 0 };

/**
 * Live deliveries and replays wait for each claim that PostgreSQL executes and for each attempt that
 * starts before theirs. With ten deliveries in a claim this is enough for 500 a second.
 */
const gentle: LaneSpacing = { claimMs: 10, startMs: 1 };

/** The spacing of a lane. */
export const spacingOf = (lane: Lane): LaneSpacing => (lane === 'recovery' ? gentle : eager);

/** Keeps the pause of a lane between the starts of two attempts. */
class StartSpacer {
  readonly #startMs: number;
  readonly #clock: Clock;
  readonly #onTurn: () => void;
  #isWaiting = false;

  /** @param onTurn called when the next attempt may start */
  constructor(lane: Lane, clock: Clock, onTurn: () => void) {
    this.#startMs = spacingOf(lane).startMs;
    this.#clock = clock;
    this.#onTurn = onTurn;
  }

  /** Whether an attempt may start now. */
  get mayStart(): boolean {
    return !this.#isWaiting;
  }

  /** Notes that an attempt starts. */
  started(): void {
    if (this.#startMs === 0) return;
    this.#isWaiting = true;
    this.#clock.after(this.#startMs, () => {
      this.#isWaiting = false;
      this.#onTurn();
    });
  }
}
