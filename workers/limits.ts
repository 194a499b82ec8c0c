import { type Clock, processClock } from './clock.js';
import { isLively, type Share } from './share.js';

/** How an endpoint's share grows. */
export interface LimitsOptions {
  /** Attempts at an endpoint that has answered none yet; as many as any endpoint unless it is said. */
  readonly first?: number;
  /** That of the process unless it is said. */
  readonly clock?: Clock;
}

/**
 * What a slot was given back with: an answer, none, a fault of ours that says nothing of the endpoint,
 * or nothing was asked.
 */
export type Heard = 'answered' | 'silent' | 'fault' | 'unasked';

/** An endpoint that answers nothing for so long is one that has answered none. */
const quietMs = 500;

/** Endpoints whose share is remembered while nothing of theirs is in flight. */
const mostResting = 500;

/**
 * Attempts in flight of one lane of one process, in all and per endpoint. An endpoint begins with few
 * and may have one more for each answer, up to the cap of all: so receivers that hang hold a few slots
 * each. What endpoints hold beyond those few shares half of the slots, except of those that answer at
 * this moment: so many that begin to hang at once leave the others room too.
 */
export class Limits {
  readonly slots: number;
  readonly #most: number;
  readonly #first: number;
  readonly #clock: Clock;
  readonly #shares = new Map<string, Share>();
  /** Those of them with nothing in flight, the longest at rest first. */
  readonly #resting = new Set<string>();
  #total = 0;
  /** Which endpoint is the first to get of what is shared. */
  #turn = 0;
  #waiting: (() => void)[] = [];

  constructor(slots: number, perEndpoint: number, options: LimitsOptions = {}) {
    this.slots = slots;
    this.#most = Math.min(perEndpoint, slots);
    this.#first = Math.min(options.first ?? this.#most, this.#most);
    this.#clock = options.clock ?? processClock;
  }

  /** Attempts in flight, and claims that wait for a slot. */
  get total(): number {
    return this.#total;
  }

  /** Attempts that may still be started; negative while claims wait for a slot. */
  get free(): number {
    return this.slots - this.#total;
  }

  /** Attempts in flight that an endpoint may have which is not named in {@link inFlight}. */
  get perEndpoint(): number {
    return this.#first;
  }

  /**
   * Attempts in flight by endpoint, less what it may have beyond {@link perEndpoint}: what the next
   * claim goes by.
   */
  get inFlight(): ReadonlyMap<string, number> {
    const now = this.#clock.now();
    const counts = new Map<string, number>();
    let spare = this.#spare(now);
    const shares = [...this.#shares];
    this.#turn = (this.#turn + 1) % Math.max(1, shares.length);
    shares.push(...shares.splice(0, this.#turn));
    for (const [endpointId, share] of shares) {
      const most = this.#mostOf(share, now);
      const sure = isLively(share, now) ? most : Math.max(share.held, this.#first);
      share.granted = Math.min(most, sure + spare);
      spare -= Math.max(0, share.granted - sure);
      counts.set(endpointId, share.held - (share.granted - this.#first));
    }
    return counts;
  }

  /** Holds a slot for an attempt to `endpointId`. */
  take(endpointId: string): void {
    this.#total += 1;
    let share = this.#shares.get(endpointId);
    if (!share) {
      share = this.#newShare();
      this.#shares.set(endpointId, share);
    }
    this.#resting.delete(endpointId);
    share.held += 1;
  }

  /** Notes that an attempt begins to `endpointId`, for which a slot is held. */
  asked(endpointId: string): void {
    const share = this.#shareOf(endpointId);
    if (share.asked === 0) share.heardAt = this.#clock.now();
    share.asked += 1;
  }

  /**
   * Gives a slot back.
   * @returns whether the endpoint had none left, so that claims may have passed it over
   */
  give(endpointId: string, heard: Heard): boolean {
    const share = this.#shareOf(endpointId);
    const now = this.#clock.now();
    const most = this.#mostOf(share, now);
    const wasFull = share.held >= Math.min(most, share.granted);
    if (heard === 'answered') {
      share.most = Math.min(most + 1, this.#most);
      share.heardAt = now;
      share.answeredAt = now;
    } else if (heard === 'silent') share.most = this.#first;
    if (heard !== 'unasked') share.asked -= 1;
    share.held -= 1;
    this.#total -= 1;
    if (share.held === 0) this.#rest(endpointId, share);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
    return wasFull;
  }

  /** Resolves when a slot is free or will be among the next `ahead`, or when `signal` aborts. */
  async room(signal: AbortSignal, ahead = 0): Promise<void> {
    while (this.free + ahead <= 0 && !signal.aborted) await this.#given(signal);
  }

  /** Resolves when nothing is in flight. */
  async idle(): Promise<void> {
    while (this.#total > 0) await this.#given();
  }

  #shareOf(endpointId: string): Share {
    const share = this.#shares.get(endpointId);
    if (!share || share.held === 0) throw new Error(`no slot is held for ${endpointId}`);
    return share;
  }

  #newShare(): Share {
    const first = this.#first;
    return { held: 0, asked: 0, most: first, granted: first, heardAt: 0, answeredAt: -Infinity };
  }

  /** Slots that endpoints may have beyond the first few, as long as they do not answer. */
  #spare(now: number): number {
    let spare = Math.floor(this.slots / 2);
    for (const share of this.#shares.values()) {
      if (!isLively(share, now)) spare -= Math.max(0, share.held - this.#first);
    }
    return Math.max(0, spare);
  }

  #mostOf({ asked, most, heardAt }: Share, now: number): number {
    return asked > 0 && now - heardAt > quietMs ? this.#first : most;
  }

  #rest(endpointId: string, share: Share): void {
    if (share.most === this.#first) {
      this.#shares.delete(endpointId);
      return;
    }
    this.#resting.add(endpointId);
    if (this.#resting.size <= mostResting) return;
    const [longest = ''] = this.#resting;
    this.#resting.delete(longest);
    this.#shares.delete(longest);
  }

  #given(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        signal?.removeEventListener('abort', done);
        resolve();
      };
      signal?.addEventListener('abort', done);
      this.#waiting.push(done);
    });
  }
}
