import type { Claim } from '../../src/domain/delivery/claim.js';
import { type Clock, processClock } from '../clock.js';
import { type ConcurrencyLimiter } from './limiter.js';
import type { ResultWriter } from './results.js';

interface ClaimSizerOptions {
  readonly limiter: ConcurrencyLimiter;
  readonly results: Pick<ResultWriter, 'backlog' | 'recordingCapacity'>;
  /**
   * One delivery at a time, with nothing buffered or unrecorded beside it: a crash would interrupt those
   * too. Defaults to false.
   */
  readonly isolated?: boolean;
  /** Defaults to the process clock. */
  readonly clock?: Clock;
}

/** A slower claim points to a problem elsewhere and is no reason to prefetch more. */
const maxClaimMs = 100;

/** Prefetched claims keep the slots busy for this long, so that no slot waits for the next claim. */
const prefetchMs = 20;

/** Prefetched claims per slot, at most. */
const maxPrefetchPerSlot = 2;

/** Pending deliveries per claim, at most: a claim locks their rows while it runs. */
const maxClaims = 400;

/** Bytes of event bodies per claim, estimated from the last claim: one body may have 256 KiB. */
const maxClaimBytes = 48 * 1_048_576;

/** Claiming waits while more attempts than this per slot wait to be recorded. */
const maxUnrecordedPerSlot = 4;

/**
 * How many pending deliveries one lane claims at once: one for each free slot, and prefetch for the slots
 * that become free while the claim runs. The estimate follows recent claim times and attempts.
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

  /** Pending deliveries to claim now; 0 or less while too many attempts wait to be recorded. */
  get size(): number {
    return Math.min(this.#options.limiter.free + this.prefetch, this.#limit);
  }

  /** Pending deliveries to claim for accounts that hold no slot. */
  get reservedSize(): number {
    return Math.min(this.#options.limiter.reservedFree, this.#limit);
  }

  /** Slots expected to become free before the claim after this one returns. */
  get prefetch(): number {
    if (this.#options.isolated) return 0;
    const expected = this.#throughput.expectedWithin(2 * this.#claimMs + prefetchMs);
    return Math.min(expected, maxPrefetchPerSlot * this.#options.limiter.slots);
  }

  /** Upper limit set by unrecorded attempts and by the last claims. */
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

  /** Notes the time a claim took and the size of its bodies; the next claim is expected to be alike. */
  claimed(tookMs: number, claims: readonly Claim[]): void {
    this.#claimMs = Math.min((this.#claimMs + tookMs) / 2, maxClaimMs);
    if (claims.length === 0) return;
    // Claims of one event share one body.
    const bodies = new Set(claims.map(({ event }) => event.body));
    const bytes = [...bodies].reduce((sum, { length }) => sum + length, 0);
    const fit = Math.floor((maxClaimBytes * claims.length) / Math.max(1, bytes));
    this.#maxClaims = Math.max(1, Math.min(fit, 2 * this.#maxClaims, maxClaims));
  }

  /** Halves the claim size after a claim that failed or came back too late. */
  shrink(): void {
    this.#maxClaims = Math.max(1, Math.floor(this.#maxClaims / 2));
  }
}

/** Time constant of the moving average. */
const windowMs = 100;

/** Shorter samples are mostly noise. */
const sampleMs = 10;

/** Moving average of how fast the attempts of one lane end. */
export class ThroughputEstimate {
  readonly #clock: () => number;
  #ended = 0;
  #since: number;
  #perMs = 0;

  /** @param clock milliseconds that never go back */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
    this.#since = clock();
  }

  /** Notes the end of one attempt. */
  recordEnd(): void {
    this.#ended += 1;
  }

  /** Attempts expected to end within `ms` milliseconds at the current rate. */
  expectedWithin(ms: number): number {
    const elapsed = this.#clock() - this.#since;
    if (elapsed >= sampleMs) {
      const weight = 1 - Math.exp(-elapsed / windowMs);
      this.#perMs += weight * (this.#ended / elapsed - this.#perMs);
      this.#ended = 0;
      this.#since += elapsed;
    }
    return Math.floor(this.#perMs * ms);
  }
}
