import type { Room } from '../src/domain/delivery/claim.js';
import type { RecentAttempt } from '../src/domain/delivery/recent-attempts.js';
import { type AccountLimits, AccountShares, type Claimed } from './account-shares.js';
import { type Clock, processClock } from './clock.js';
import { EndpointShares, type Heard } from './endpoint-shares.js';

/** How slots are shared. */
export interface LimitsOptions extends AccountLimits {
  /** Attempts at an endpoint that has answered none yet. Defaults to as many as any endpoint. */
  readonly first?: number;
  /** Defaults to the clock of the process. */
  readonly clock?: Clock;
}

/**
 * The limits of a lane: an account has a quarter of the slots, a tenth is kept, and an endpoint begins
 * with a tenth of its cap.
 */
export function laneLimits(slots: number, perEndpoint: number): Limits {
  const [perAccount, kept] = [Math.ceil(slots / 4), Math.floor(slots / 10)];
  return new Limits(slots, perEndpoint, { first: Math.ceil(perEndpoint / 10), perAccount, kept });
}

/**
 * Attempts in flight of one lane of one process: in all, per account and per endpoint.
 *
 * - An account has a share of the slots. What endpoints hold that answer promptly does not count.
 * - A few slots are kept for accounts that hold none.
 * - An endpoint begins with few and earns more with answers; see {@link EndpointShares}.
 */
export class Limits {
  readonly slots: number;
  /** Slots that are kept for accounts that hold none. */
  readonly kept: number;
  /** Attempts in flight that an endpoint may have which is not named in {@link inFlight}. */
  readonly perEndpoint: number;
  readonly #clock: Clock;
  readonly #accounts: AccountShares;
  readonly #endpoints: EndpointShares;
  #total = 0;
  #waiting: (() => void)[] = [];

  constructor(slots: number, perEndpoint: number, options: LimitsOptions = {}) {
    const most = Math.min(perEndpoint, slots);
    const { first = most, kept = 0, clock = processClock } = options;
    this.slots = slots;
    this.kept = kept;
    this.perEndpoint = Math.min(first, most);
    this.#clock = clock;
    this.#accounts = new AccountShares(slots, options);
    const shared = { slots: slots - kept, most, first: this.perEndpoint };
    this.#endpoints = new EndpointShares(shared);
  }

  /** Attempts in flight, and claims that wait for a slot. */
  get total(): number {
    return this.#total;
  }

  /** Attempts that any account may still start; negative while claims wait for a slot. */
  get free(): number {
    return this.slots - this.kept - this.#total;
  }

  /** Attempts that accounts may still start which hold no slot. */
  get keptFree(): number {
    return this.#accounts.keptFree;
  }

  /**
   * Attempts in flight by endpoint, less what it may have beyond {@link perEndpoint}: what the next
   * claim goes by.
   */
  get inFlight(): ReadonlyMap<string, number> {
    return this.#endpoints.grant(this.#clock.now());
  }

  /** Whether the last claim may have passed over an endpoint or account that has room by now. */
  get passedOver(): boolean {
    if (this.#endpoints.passedOver) return true;
    return (
      this.#accounts.anyFull &&
      this.#accounts.passedOver(this.#endpoints.unproven(this.#clock.now()))
    );
  }

  /** What the next claim may bring, `slots` at most. */
  roomFor(slots: number): Room {
    const now = this.#clock.now();
    const { perEndpoint, inFlight } = this;
    const { perAccount, accounts } = this.#accounts.rooms(this.#endpoints.unproven(now));
    const prompt = this.#endpoints.promptOf(accounts, now);
    return { slots, perEndpoint, inFlight, perAccount, accounts, prompt };
  }

  /** What a claim may bring when only slots are free that are kept, `slots` at most. */
  roomForOthers(slots: number): Room {
    const { perEndpoint, inFlight } = this;
    return { slots, perEndpoint, inFlight, ...this.#accounts.roomsOfOthers() };
  }

  /** Gives endpoints what their attempts earned before this process started, the oldest first. */
  recall(attempts: readonly RecentAttempt[]): void {
    this.#endpoints.recall(attempts);
  }

  /** Holds slots for what a claim with `room` brought. */
  claimed(claims: readonly Claimed[], room: Room): void {
    for (const { endpointId, accountId } of claims) this.take(endpointId, accountId);
    this.#accounts.claimed(claims, room);
    this.#endpoints.claimed(claims, room);
  }

  /** Holds a slot for an attempt to `endpointId`. */
  take(endpointId: string, accountId = ''): void {
    this.#total += 1;
    this.#endpoints.take(endpointId, accountId);
    this.#accounts.take(accountId);
  }

  /** Whether an attempt of any account may begin. */
  get anyMayBegin(): boolean {
    return this.#accounts.anyMayBegin;
  }

  /** Whether an attempt may begin for which a slot is held. */
  mayBegin({ accountId }: Pick<Claimed, 'accountId'>): boolean {
    return this.#accounts.mayBegin(accountId);
  }

  /** Notes that an attempt begins to `endpointId`, for which a slot is held. @returns when */
  asked(endpointId: string): number {
    const now = this.#clock.now();
    this.#endpoints.asked(endpointId, now);
    this.#accounts.asked(this.#endpoints.accountOf(endpointId));
    return now;
  }

  /**
   * Gives a slot back.
   * @param askedAt when the attempt began. Defaults to when the oldest did
   * @returns whether the last claim may have passed over its endpoint or its account
   */
  give(endpointId: string, heard: Heard, askedAt?: number): boolean {
    const accountId = this.#endpoints.accountOf(endpointId);
    const endpointWasFull = this.#endpoints.give(endpointId, heard, this.#clock.now(), askedAt);
    const accountWasFull = this.#accounts.give(accountId, heard !== 'unasked');
    this.#total -= 1;
    this.#tell();
    return endpointWasFull || accountWasFull;
  }

  /**
   * Resolves when a slot is free or will be among the next `ahead`, when `signal` aborts, or after
   * `limitMs`.
   * @returns whether there is room
   */
  async room(signal: AbortSignal, ahead = 0, limitMs?: number): Promise<boolean> {
    if (this.free + ahead > 0) return true;
    const wait = { isLate: false };
    const late = () => {
      wait.isLate = true;
      this.#tell();
    };
    const callOff = limitMs === undefined ? undefined : this.#clock.after(limitMs, late);
    while (this.free + ahead <= 0 && !signal.aborted && !wait.isLate) await this.#given(signal);
    callOff?.();
    return this.free + ahead > 0;
  }

  /** Resolves when nothing is in flight. */
  async idle(): Promise<void> {
    while (this.#total > 0) await this.#given();
  }

  #tell(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
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
