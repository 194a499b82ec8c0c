import type { Claim } from '../../src/domain/delivery/claim.js';
import { type Clock, processClock } from '../process/clock.js';
import type { ConcurrencyLimiter } from './concurrency-limiter.js';
import type { ResultWriter } from './result-writer.js';
import { ThroughputEstimate } from './throughput-estimate.js';

export interface ClaimSizerOptions {
  readonly limiter: ConcurrencyLimiter;
  readonly results: Pick<ResultWriter, 'backlog' | 'recordingCapacity'>;
  /**
   * One delivery at a time, with nothing buffered or unrecorded beside it: a crash would interrupt that too.
   * Defaults to false.
   */
  readonly isolated?: boolean;
  /** Defaults to the process clock. */
  readonly clock?: Clock;
}

/** A claim that takes longer than this is a fault somewhere, not a reason to claim more. */
const maxClaimMs = 100;

/** Claims last for this long after they are back, lest the slots wait for the next one. */
const prefetchMs = 20;

/** How many claims may wait for each slot. */
const maxPrefetchPerSlot = 2;

/** One claim brings so many at most: it holds their rows locked, and takes its time. */
const maxClaims = 400;

/** One claim brings so much of bodies, if they are like the last: every one may be 256 KiB. */
const maxClaimBytes = 48 * 1_048_576;

/** Claiming waits while this many times the slots are not recorded. */
const maxUnrecordedPerSlot = 4;

/**
 * How many pending deliveries of one lane a process claims at once: as many as it has free slots, and as many more
 * as will be free by the time the claim is back, by how long claims took and attempts ended lately.
 */
export class ClaimSizer {
  readonly #options: ClaimSizerOptions;
  readonly #throughput: ThroughputEstimate;
  #claimMs = 1;
  #maxClaims = maxClaims / 2;

  constructor(options: ClaimSizerOptions) {
    const { clock = processClock } = options;
    this.#options = options;
    this.#throughput = new ThroughputEstimate(() => clock.now());
  }

  /** How many may be claimed now; none or fewer while too many are not recorded. */
  get size(): number {
    return Math.min(this.#options.limiter.free + this.prefetch, this.#limit);
  }

  /** How many may be claimed of the slots that are kept for accounts that hold none. */
  get reservedSize(): number {
    return Math.min(this.#options.limiter.reservedFree, this.#limit);
  }

  /** Slots that will have become free before a claim is back that is made after this one. */
  get prefetch(): number {
    if (this.#options.isolated) return 0;
    const expected = this.#throughput.expectedWithin(2 * this.#claimMs + prefetchMs);
    return Math.min(expected, maxPrefetchPerSlot * this.#options.limiter.slots);
  }

  /** What recording, and the last claims, leave room for. */
  get #limit(): number {
    const { limiter, results, isolated } = this.#options;
    if (isolated && results.backlog > 0) return 0;
    const recordable = limiter.slots * maxUnrecordedPerSlot - results.backlog;
    return Math.min(recordable, results.recordingCapacity, this.#maxClaims);
  }

  /** Notes that an attempt has ended. */
  attemptEnded(): void {
    this.#throughput.recordEnd();
  }

  /** Notes how long a claim took and what it brought: the next one will bring bodies of that size. */
  claimed(tookMs: number, claims: readonly Claim[]): void {
    this.#claimMs = Math.min((this.#claimMs + tookMs) / 2, maxClaimMs);
    if (claims.length === 0) return;
    // Claims of one event share its body.
    const bodies = new Set(claims.map(({ event }) => event.body));
    const bytes = [...bodies].reduce((sum, { length }) => sum + length, 0);
    const fit = Math.floor((maxClaimBytes * claims.length) / Math.max(1, bytes));
    this.#maxClaims = Math.max(1, Math.min(fit, 2 * this.#maxClaims, maxClaims));
  }

  /** Notes a claim that failed or came back too late: half as many may be what comes in time. */
  shrink(): void {
    this.#maxClaims = Math.max(1, Math.floor(this.#maxClaims / 2));
  }
}
