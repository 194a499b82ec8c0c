import { setMaxListeners } from 'node:events';
import type { EndedAttempt } from '../../src/domain/delivery/rules/attempt.js';
import type { Claim, Capacity } from '../../src/domain/delivery/claim.js';
import { isResponse } from '../../src/domain/delivery/rules/outcome.js';
import { type Clock, processClock } from '../process/clock.js';
import type { SlotResult } from './endpoint-slots.js';
import type { ConcurrencyLimiter } from './concurrency-limiter.js';
import { ClaimBuffer } from './claim-buffer.js';

/** What {@link AttemptRunner} works with. */
export interface AttemptRunnerOptions {
  readonly limiter: ConcurrencyLimiter;
  /** Claims that have waited longer for a slot are given back: others may have one. */
  readonly startTimeoutMs: number;
  /**
   * Makes one attempt; `elapsedMs` have passed since the claim came back.
   * @throws Error when `signal` aborts, or by a fault of ours
   */
  readonly attempt: (claim: Claim, elapsedMs: number, signal: AbortSignal) => Promise<EndedAttempt>;
  /** Takes over what has ended; `claimedAt` as the clock counts. */
  readonly onEnded: (ended: EndedAttempt, claimedAt: number) => void;
  /** Gives claims back that were not attempted. */
  readonly release: (claims: readonly Claim[]) => Promise<void>;
  /** Releasing failed, or an attempt of `claim` did; leases and polls repair it. */
  readonly onInternalError: (error: unknown, claim?: Claim) => void;
  /** That of the process unless it is said. */
  readonly clock?: Clock;
}

/** Starting so many at once would hold up whatever comes next: they get a turn of their own. */
const largeBatch = 50;

/**
 * The claims of one lane of a process from the moment they come back: each waits for a slot, is
 * attempted, and is handed over, or is given back. Attempts never wait for one another.
 */
export class AttemptRunner {
  readonly #options: AttemptRunnerOptions;
  readonly #clock: Clock;
  readonly #buffer: ClaimBuffer;
  readonly #aborting = new AbortController();
  readonly #aborted: Claim[] = [];
  readonly #onSlotFreed: (wasFull: boolean) => void;

  /**
   * @param onSlotFreed hears of each attempt that has ended, and whether its endpoint had no slot left, so
   *   that claims may have passed it over
   */
  constructor(options: AttemptRunnerOptions, onSlotFreed: (wasFull: boolean) => void) {
    const { clock = processClock, startTimeoutMs } = options;
    this.#options = options;
    this.#clock = clock;
    this.#onSlotFreed = onSlotFreed;
    const onTimeout = (claims: readonly Claim[]) => void this.#returnClaims(claims);
    this.#buffer = new ClaimBuffer({ clock, startTimeoutMs, onTimeout });
    // Every attempt in flight listens to it.
    setMaxListeners(0, this.#aborting.signal);
  }

  /** Keeps what a claim of `capacity` brought until slots are free, which are held from now on. */
  add(claims: readonly Claim[], capacity: Capacity, claimedAt: number): void {
    this.#options.limiter.claimed(claims, capacity);
    this.#buffer.add(claims, claimedAt);
    // A turn later, because signing and sending many would hold up the next claim.
    if (claims.length >= largeBatch) this.#clock.after(0, () => this.#start());
    else this.#start();
    this.#buffer.startTimeout();
  }

  /** Gives back what waits for a slot. */
  releaseBuffered(): Promise<void> {
    return this.#returnClaims(this.#buffer.takeAll());
  }

  /** Waits for the attempts under way; after `limitMs` it breaks them off and gives those back. */
  async drain(limitMs: number): Promise<void> {
    const abort = () => this.#aborting.abort(new Error('stopping'));
    const cancelLimitTimer = this.#clock.after(limitMs, abort);
    await this.#options.limiter.idle();
    cancelLimitTimer();
    await this.release(this.#aborted.splice(0));
  }

  /** Gives back claims for which no slot is held. Never throws. */
  async release(claims: readonly Claim[]): Promise<void> {
    if (claims.length === 0) return;
    try {
      await this.#options.release(claims);
    } catch (error) {
      this.#options.onInternalError(error);
    }
  }

  async #returnClaims(claims: readonly Claim[]): Promise<void> {
    for (const { endpointId } of claims) this.#options.limiter.release(endpointId, 'notStarted');
    await this.release(claims);
  }

  #start(): void {
    const { limiter } = this.#options;
    while (limiter.anyMayStart) {
      const next = this.#buffer.next((claim) => limiter.mayStart(claim));
      if (!next) return;
      void this.#attempt(next.claim, next.claimedAt);
    }
  }

  async #attempt(claim: Claim, claimedAt: number): Promise<void> {
    const { limiter, startTimeoutMs, attempt, onEnded, onInternalError } = this.#options;
    const { signal } = this.#aborting;
    const bufferedMs = this.#clock.now() - claimedAt;
    let result: SlotResult = 'notStarted';
    let startedAt: number | undefined;
    try {
      if (bufferedMs > startTimeoutMs) {
        await this.release([claim]);
        return;
      }
      startedAt = limiter.started(claim.endpointId);
      result = 'internalError';
      const ended = await attempt(claim, bufferedMs, signal);
      result = isResponse(ended.outcome) ? 'responded' : 'noResponse';
      onEnded(ended, claimedAt);
    } catch (error) {
      if (signal.aborted) this.#aborted.push(claim);
      else onInternalError(error, claim);
    } finally {
      const wasFull = limiter.release(claim.endpointId, result, startedAt);
      this.#start();
      this.#onSlotFreed(wasFull);
    }
  }
}
