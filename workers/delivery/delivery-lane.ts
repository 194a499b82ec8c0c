import { setMaxListeners } from 'node:events';
import type { Capacity, Claim, Lane } from '../../src/domain/delivery/claim.js';
import type { EndedAttempt } from '../../src/domain/delivery/rules/attempt.js';
import { isResponse } from '../../src/domain/delivery/rules/outcome.js';
import { type Clock, processClock } from '../process/clock.js';
import type { AttemptLog } from './attempt-log.js';
import { ClaimBuffer } from './claim-buffer.js';
import type { ClaimManager } from './claim-manager.js';
import { ClaimSizer } from './claim-sizer.js';
import type { ConcurrencyLimiter } from './concurrency-limiter.js';
import type { SlotResult } from './endpoint-slots.js';
import type { LeaseTimes } from './lease-times.js';
import type { ResultWriter } from './result-writer.js';
import type { SendAttempt } from './send-attempt.js';
import type { WarmStart } from './warm-start.js';

/** The parts of one lane; tests and the simulation replace those that reach outside the process. */
export interface LaneParts {
  readonly lane: Lane;
  readonly limiter: ConcurrencyLimiter;
  readonly times: Omit<LeaseTimes, 'graceMs'>;
  /** Claims ready pending deliveries under `token`. */
  readonly claimer: { claim(capacity: Capacity, token: number): Promise<Claim[]> };
  readonly claims: Pick<ClaimManager, 'claim' | 'release' | 'defer'>;
  readonly send: SendAttempt;
  readonly results: Pick<ResultWriter, 'add' | 'backlog' | 'recordingCapacity'>;
  readonly log: Pick<AttemptLog, 'claimFailed' | 'attemptFailed' | 'releaseFailed'>;
  /** Defaults to none: endpoints earn their slots again. */
  readonly warmStart?: Pick<WarmStart, 'claimed'>;
  /** Defaults to the process clock. */
  readonly clock?: Clock;
}

/** Starting this many attempts at once delays the next claim, so they start one event-loop turn later. */
const largeBatch = 50;

/**
 * The way of a delivery through one lane of a process: claim, buffer, attempt, record. A claim that is
 * not attempted is released. Attempts never wait for one another.
 */
export class DeliveryLane {
  readonly sizer: ClaimSizer;
  readonly #parts: LaneParts;
  readonly #clock: Clock;
  readonly #onMaySkip: () => void;
  readonly #buffered: ClaimBuffer;
  readonly #aborting = new AbortController();
  readonly #aborted: Claim[] = [];
  #isOpen = true;

  /** @param onMaySkip called when an attempt ends whose endpoint was full: claims may have skipped it */
  constructor(parts: LaneParts, onMaySkip: () => void) {
    const { lane, limiter, results, clock = processClock } = parts;
    const { startTimeoutMs } = parts.times;
    this.#parts = parts;
    this.#clock = clock;
    this.#onMaySkip = onMaySkip;
    this.sizer = new ClaimSizer({ limiter, results, clock, isolated: lane === 'isolated' });
    const onTimeout = (claims: readonly Claim[]) => void this.#releaseSlots(claims);
    this.#buffered = new ClaimBuffer({ clock, startTimeoutMs, onTimeout });
    // Every attempt in flight listens to it.
    setMaxListeners(0, this.#aborting.signal);
  }

  /** Whether claims are attempted; otherwise they are released. */
  mayClaim(): boolean {
    return this.#isOpen;
  }

  /** Claims at most `capacity` and buffers it. @returns how many pending deliveries were claimed */
  async claim(capacity: Capacity): Promise<number> {
    const { claims, claimer, times, warmStart } = this.#parts;
    const startedAt = this.#clock.now();
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
    else this.sizer.claimed(tookMs, claimed);
    if (isLate || !this.#isOpen) await this.#release(claimed);
    else this.#buffer(claimed, capacity, claimedAt);
    return claimed.length;
  }

  /** Holds a slot for each claim, and keeps the claim until its attempt may start. */
  #buffer(claims: readonly Claim[], capacity: Capacity, claimedAt: number): void {
    this.#parts.limiter.claimed(claims, capacity);
    this.#buffered.add(claims, claimedAt);
    if (claims.length >= largeBatch) this.#clock.after(0, () => this.#startAttempts());
    else this.#startAttempts();
    this.#buffered.startTimeout();
  }

  #startAttempts(): void {
    const { limiter } = this.#parts;
    while (limiter.anyMayStart) {
      const next = this.#buffered.next((claim) => limiter.mayStart(claim));
      if (!next) return;
      void this.#attempt(next.claim, next.claimedAt);
    }
  }

  /** Sends one delivery, unless it was buffered for too long, and frees its slot. */
  async #attempt(claim: Claim, claimedAt: number): Promise<void> {
    const { limiter, times, send } = this.#parts;
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
      const ended = await send(claim, bufferedMs, signal);
      result = isResponse(ended.outcome) ? 'responded' : 'noResponse';
      this.#record(ended, claimedAt);
    } catch (error) {
      if (signal.aborted) this.#aborted.push(claim);
      else this.#defer(claim, error);
    } finally {
      const mayHaveSkipped = limiter.release(claim.endpointId, result, startedAt);
      this.#startAttempts();
      this.sizer.attemptEnded();
      if (mayHaveSkipped) this.#onMaySkip();
    }
  }

  /** Hands the result to the result writer, which retries and keeps the lease until it is recorded. */
  #record(ended: EndedAttempt, claimedAt: number): void {
    this.#parts.results.add(ended, claimedAt + this.#parts.times.leaseMs);
  }

  /** Attempts what is claimed from now on. */
  open(): void {
    this.#isOpen = true;
  }

  /** Starts no further attempt and releases the buffered claims. */
  async close(): Promise<void> {
    this.#isOpen = false;
    await this.#releaseSlots(this.#buffered.takeAll());
  }

  /** Waits for the attempts in flight; after `limitMs` it aborts them and releases their claims. */
  async drain(limitMs: number): Promise<void> {
    const abort = () => this.#aborting.abort(new Error('stopping'));
    const cancelLimitTimer = this.#clock.after(limitMs, abort);
    await this.#parts.limiter.idle();
    cancelLimitTimer();
    await this.#release(this.#aborted.splice(0));
  }

  async #releaseSlots(claims: readonly Claim[]): Promise<void> {
    for (const { endpointId } of claims) this.#parts.limiter.release(endpointId, 'notStarted');
    await this.#release(claims);
  }

  /** Releases claims that hold no slot. Never throws: leases and polls repair what fails. */
  async #release(claims: readonly Claim[]): Promise<void> {
    if (claims.length === 0) return;
    const { claims: manager, log } = this.#parts;
    await manager.release(claims).catch((error: unknown) => log.releaseFailed(error));
  }

  #defer(claim: Claim, error: unknown): void {
    const { claims, log } = this.#parts;
    log.attemptFailed(error, claim);
    claims.defer(claim).catch((cause: unknown) => log.releaseFailed(cause));
  }
}
