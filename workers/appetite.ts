import type { Claim } from '../src/domain/delivery/claim.js';
import { type Clock, processClock } from './clock.js';
import type { Limits } from './limits.js';
import { Pace } from './pace.js';

/** What an {@link Appetite} goes by. */
export interface AppetiteOptions {
  readonly limits: Limits;
  /** Attempts that have ended and are not recorded yet. */
  readonly unsettled: () => number;
  /** How many more may be claimed until something is recorded; any number unless it is said. */
  readonly allowance?: () => number;
  /** Whether chains are claimed that wait for a slot; true unless it is said. */
  readonly ahead?: boolean;
  /** That of the process unless it is said. */
  readonly clock?: Clock;
}

/** A claim that takes longer than this is a fault somewhere, not a reason to claim more. */
const longestClaimMs = 100;

/** Claims last for this long after they are back, lest the slots wait for the next one. */
const reserveMs = 20;

/** How many claims may wait for each slot. */
const waitingPerSlot = 2;

/** One claim brings so many at most: it holds their rows locked, and takes its time. */
const mostAtOnce = 400;

/** One claim brings so much of bodies, if they are like the last: every one may be 256 KiB. */
const mostBytesAtOnce = 48 * 1_048_576;

/** Claiming waits while this many times the slots are not recorded. */
const unsettledPerSlot = 4;

/**
 * How many chains of one lane a process claims at once: as many as it has free slots, and as many more
 * as will be free by the time the claim is back, by how long claims took and attempts ended lately.
 */
export class Appetite {
  readonly #options: AppetiteOptions;
  readonly #pace: Pace;
  #claimMs = 1;
  #mostAtOnce = mostAtOnce / 2;

  constructor(options: AppetiteOptions) {
    const { clock = processClock } = options;
    this.#options = options;
    this.#pace = new Pace(() => clock.now());
  }

  /** How many may be claimed now; none or fewer while too many are not recorded. */
  get room(): number {
    return Math.min(this.#options.limits.free + this.ahead, this.#most);
  }

  /** How many may be claimed of the slots that are kept for accounts that hold none. */
  get roomForOthers(): number {
    return Math.min(this.#options.limits.keptFree, this.#most);
  }

  /** Slots that will have become free before a claim is back that is made after this one. */
  get ahead(): number {
    if (this.#options.ahead === false) return 0;
    const expected = this.#pace.within(2 * this.#claimMs + reserveMs);
    return Math.min(expected, waitingPerSlot * this.#options.limits.slots);
  }

  /** What recording, and the last claims, leave room for. */
  get #most(): number {
    const { limits, unsettled, allowance } = this.#options;
    const unrecorded = limits.slots * unsettledPerSlot - unsettled();
    return Math.min(unrecorded, allowance?.() ?? Infinity, this.#mostAtOnce);
  }

  /** Notes that an attempt has ended. */
  ended(): void {
    this.#pace.note();
  }

  /** Notes how long a claim took and what it brought: the next one will bring bodies of that size. */
  claimed(tookMs: number, claims: readonly Claim[]): void {
    this.#claimMs = Math.min((this.#claimMs + tookMs) / 2, longestClaimMs);
    if (claims.length === 0) return;
    // Claims of one event share its body.
    const bodies = new Set(claims.map(({ event }) => event.body));
    const bytes = [...bodies].reduce((sum, { length }) => sum + length, 0);
    const fit = Math.floor((mostBytesAtOnce * claims.length) / Math.max(1, bytes));
    this.#mostAtOnce = Math.max(1, Math.min(fit, 2 * this.#mostAtOnce, mostAtOnce));
  }

  /** Notes a claim that failed or came back too late: half as many may be what comes in time. */
  overate(): void {
    this.#mostAtOnce = Math.max(1, Math.floor(this.#mostAtOnce / 2));
  }
}
