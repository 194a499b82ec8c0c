// How many pending deliveries one lane claims at once: one for each free slot, and some more (prefetch) for the
// slots that become free while the claim runs. Bounds: how many rows a claim may lock, how large their bodies
// are, and how many attempts still wait to be recorded.
//
// It learns from the last claim. A crash forgets that, and the next process begins with 200.
import type { Claim } from '../../src/domain/delivery/claim.js';
import type { ConcurrencyLimiter } from './limiter.js';
import type { ResultWriter } from './results.js';

interface ClaimSizerOptions {
  readonly limiter: ConcurrencyLimiter;
  readonly results: Pick<ResultWriter, 'backlog' | 'recordingCapacity'>;
  /**
   * One delivery at a time, while nothing else is buffered or unrecorded: a crash would interrupt that too.
   * Defaults to false.
   */
  readonly isolated?: boolean;
}

/** At most this many claims are prefetched per slot. */
const maxPrefetchPerSlot = 2;

/** Twice as many slots are expected as during the last claim, because claims differ in how long they take. */
const prefetchFactor = 2;

/** Pending deliveries per claim, at most: a claim locks their rows while it runs. */
const maxClaims = 400;

/** Bytes of event bodies per claim, estimated from the last claim: one body may have 256 KiB. */
const maxClaimBytes = 48 * 1_048_576;

/** Claiming waits while more attempts than this per slot wait to be recorded. */
const maxUnrecordedPerSlot = 4;

/** Decides how many pending deliveries the next claim of a lane takes. */
export class ClaimSizer {
  readonly #options: ClaimSizerOptions;
  /** Attempts that have ended since the last claim began. */
  #ended = 0;
  /** Attempts that ended while the last claim ran. */
  #freed = 0;
  #maxClaims = maxClaims / 2;

  constructor(options: ClaimSizerOptions) {
    this.#options = options;
  }

  /** Pending deliveries to claim now; 0 or less while too many attempts wait to be recorded. */
  get size(): number {
    return Math.min(this.#options.limiter.free + this.prefetch, this.#limit);
  }

  /** Pending deliveries to claim for accounts that hold no slot. */
  get reservedSize(): number {
    return Math.min(this.#options.limiter.reservedFree, this.#limit);
  }

  /** Slots expected to become free while the next claim runs: twice as many as while the last one ran. */
  get prefetch(): number {
    if (this.#options.isolated) return 0;
    return Math.min(prefetchFactor * this.#freed, maxPrefetchPerSlot * this.#options.limiter.slots);
  }

  /** Notes that a claim begins. */
  claimStarts(): void {
    this.#ended = 0;
  }

  /** Notes that an attempt has ended. */
  attemptEnded(): void {
    this.#ended += 1;
  }

  /** The largest size that unrecorded attempts and the last claims allow. */
  get #limit(): number {
    const { limiter, results, isolated } = this.#options;
    if (isolated && results.backlog > 0) return 0;
    const recordable = limiter.slots * maxUnrecordedPerSlot - results.backlog;
    return Math.min(recordable, results.recordingCapacity, this.#maxClaims);
  }

  /** Notes what a claim returned: the bodies of the next claim are expected to be as large. */
  claimReturned(claims: readonly Claim[]): void {
    this.#freed = this.#ended;
    if (claims.length === 0) return;
    // Claims of one event share one body.
    const bodies = new Set(claims.map(({ event }) => event.body));
    const bytes = [...bodies].reduce((sum, { length }) => sum + length, 0);
    const fitting = Math.floor((maxClaimBytes * claims.length) / Math.max(1, bytes));
    this.#maxClaims = Math.max(1, Math.min(fitting, 2 * this.#maxClaims, maxClaims));
  }

  /** Halves the claim size after a claim that failed or came back too late. */
  shrink(): void {
    this.#maxClaims = Math.max(1, Math.floor(this.#maxClaims / 2));
    this.#freed = 0;
  }
}
