import type { EndedAttempt } from '../../src/domain/delivery/rules/attempt.js';
import type { Claim } from '../../src/domain/delivery/claim.js';
import type { Promoted } from '../../src/domain/delivery/sql/promote.js';
import type { EndpointWait } from '../../src/domain/delivery/sql/release.js';
import type { Polled } from '../../src/domain/poll/poll.js';
import type { RecordResult } from '../../src/domain/delivery/sql/record-results.js';
import { type Clock, processClock } from '../process/clock.js';
import { ClaimReleases } from './claim-releases.js';
import type { ClaimStore } from './claim-store.js';
import type { LeaseTimes } from './lease-times.js';
import { Leases } from './leases.js';
import { delayUnlessStopped } from '../process/jitter.js';
import { ResultWriter } from './result-writer.js';
import { DatabaseStability } from './database-stability.js';
import { AmbiguousClaims, type AmbiguousClaimsOptions } from './ambiguous-claims.js';

export interface ClaimManagerOptions {
  readonly store: ClaimStore;
  readonly times: LeaseTimes;
  /** Whether a statement that failed with `error` may have run, and may succeed when repeated. */
  readonly isUnavailable: (error: unknown) => boolean;
  readonly onRecorded: (ended: readonly EndedAttempt[], result: RecordResult) => void;
  readonly onRecordError: (error: unknown, attempts: number) => void;
  /** Called with attempts that were not recorded; workers send their deliveries again. */
  readonly onDropped: (ended: readonly EndedAttempt[]) => void;
  /** Called when extending leases or releasing claims failed; both are retried. */
  readonly onError: (error: unknown) => void;
  /** Defaults to the process clock. */
  readonly clock?: Clock;
  readonly leases?: (clock: Clock) => Leases;
  readonly ambiguous?: (options: AmbiguousClaimsOptions) => AmbiguousClaims;
  readonly makeToken?: () => number;
}

const everyMs = 1_000;

/**
 * Everything that a process has claimed and neither recorded nor released. It extends the leases of these
 * claims, so other processes send them again only when this process dies or stalls for long.
 */
export class ClaimManager {
  readonly resultWriter: ResultWriter;
  readonly #options: ClaimManagerOptions;
  readonly #clock: Clock;
  readonly #leases: Leases;
  readonly #ambiguous: AmbiguousClaims;
  readonly #releases: ClaimReleases;
  readonly #stability: DatabaseStability;
  readonly #stopping = new AbortController();
  #isRetrying = false;

  constructor(options: ClaimManagerOptions) {
    const { store, times, isUnavailable, onError, clock = processClock, makeToken } = options;
    this.#options = options;
    this.#clock = clock;
    this.#leases = options.leases?.(clock) ?? new Leases(clock);
    const ambiguous =
      options.ambiguous ?? ((its: AmbiguousClaimsOptions) => new AmbiguousClaims(its));
    this.#ambiguous = ambiguous({
      release: store.releaseAmbiguous,
      mayHaveClaimed: isUnavailable,
      leaseMs: times.leaseMs,
      clock,
      ...(makeToken && { makeToken }),
    });
    this.#releases = new ClaimReleases({ mayRecover: isUnavailable, onError });
    const { graceMs, startTimeoutMs: stallMs } = times;
    this.#stability = new DatabaseStability({ graceMs, stallMs: everyMs + stallMs, clock });
    this.resultWriter = new ResultWriter({
      recordResults: store.recordResults,
      mayRecover: isUnavailable,
      onRecorded: (ended, result) => {
        this.#leases.ended(ended.map(({ claim }) => claim));
        options.onRecorded(ended, result);
      },
      onError: options.onRecordError,
      onDropped: options.onDropped,
      clock,
    });
    void this.#run();
  }

  /** Runs `claim` with a token of its own. @throws what `claim` throws */
  async claim(claim: (token: number) => Promise<Claim[]>): Promise<Claim[]> {
    // Measured before the statement, because the lease begins while it runs.
    const until = this.#clock.now() + this.#options.times.leaseMs;
    const claims = await this.#ambiguous.claim(claim);
    this.#leases.claimed(claims, until);
    return claims;
  }

  /** Lets the leases of these claims expire: this process never ends the claims. */
  leaveToExpire(claims: readonly Pick<Claim, 'token'>[]): void {
    this.#leases.claimed(claims, this.#clock.now() + this.#options.times.leaseMs);
  }

  /** Releases claims that were not attempted. */
  release(claims: readonly Claim[]): Promise<void> {
    return this.#releases.add(claims, async () => {
      await this.#options.store.release(claims);
      this.#leases.ended(claims);
    });
  }

  /**
   * Releases a claim whose attempt failed by an error of the service; it is due when its lease would end.
   * @param endpoint lets it wait longer, and with it what is ready at its endpoint
   */
  defer(claim: Claim, endpoint?: EndpointWait): Promise<void> {
    return this.#releases.add([claim], async () => {
      await this.#options.store.defer(claim, endpoint);
      this.#leases.ended([claim]);
    });
  }

  /** Releases ambiguous claims. @returns the number of pending deliveries */
  releaseAmbiguous(): Promise<number> {
    return this.#ambiguous.release();
  }

  /** Deletes the leases of this process whose claims have all ended. */
  async deleteLeases(): Promise<void> {
    const finished = this.#leases.takeFinished();
    if (finished.length > 0) await this.#options.store.deleteLeases(finished);
  }

  /** Extends the leases of this process, then marks due pending deliveries ready. */
  async promote(): Promise<Promoted> {
    try {
      await this.extend();
      return await this.#promote(this.#options.store.promote);
    } catch (error) {
      this.#stability.failed();
      throw error;
    }
  }

  /** As {@link promote}, and says what waits. Its failure alone does not delay the end of leases. */
  async poll(): Promise<Polled> {
    await this.extend();
    return this.#promote(this.#options.store.poll);
  }

  /** Extends leases that are half over and have claims that are not recorded or released. */
  async extend(): Promise<void> {
    const { store, times } = this.#options;
    const ending = this.#leases.endingWithin(times.leaseMs / 2, this.#tokens());
    if (ending.length === 0) return;
    const until = this.#clock.now() + times.leaseMs;
    this.#leases.extended(await store.extend(ending, times.leaseMs), until);
  }

  /** Records ended attempts, as far as {@link ResultWriter.close} waits; then stops extending leases. */
  async close(): Promise<void> {
    await this.resultWriter.close();
    this.#stopping.abort();
  }

  /** Retries failed releases once. */
  async retryReleases(): Promise<void> {
    await Promise.all([this.#releases.retry(), this.releaseAmbiguous()]);
  }

  *#tokens(): Iterable<number> {
    yield* this.resultWriter.tokens();
    yield* this.#releases.tokens();
  }

  /** Sends a statement that ends leases. */
  async #promote<T extends Promoted>(send: (endedBy: number) => Promise<T>): Promise<T> {
    const sentAt = this.#clock.now();
    try {
      const promoted = await send(this.#stability.endedBy);
      this.#stability.answered(promoted.nowMs);
      return promoted;
    } finally {
      this.#stability.ended(sentAt);
    }
  }

  async #retry(): Promise<void> {
    this.#isRetrying = true;
    try {
      await this.#releases.retry();
    } catch (error) {
      this.#options.onError(error);
    } finally {
      this.#isRetrying = false;
    }
  }

  async #run(): Promise<void> {
    while (await delayUnlessStopped(everyMs, this.#stopping.signal, this.#clock)) {
      this.#stability.heartbeat();
      // Not awaited: it may wait for row locks, and leases expire meanwhile.
      if (!this.#isRetrying) void this.#retry();
      try {
        await this.extend();
      } catch (error) {
        this.#stability.failed();
        this.#options.onError(error);
      }
    }
  }
}
