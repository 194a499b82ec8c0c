// How many attempts of one lane run at the same time: in all, per account, per endpoint and per host.
//
// A claim holds a slot from the moment it comes back until its attempt ends or it is released. A lane claims
// ahead, so its claims may hold more slots than there are; no more attempts than slots run at the same time.
//
// ConcurrencyLimiter is the interface. Its parts count the same slots by what they limit:
// - AccountSlots gives an account a quarter of the slots, without counting its fast endpoints, and reserves a
//   tenth for accounts that hold none.
// - EndpointSlots starts an endpoint with a few slots; each response earns one more; half a second of silence,
//   or an attempt without a response, takes all that were earned.
// - HostSlots shares a number of slots between the endpoints of an account at one host.
//
// capacityFor grants slots for the next claim, and acquireClaimed takes a slot for each claim that came back.
// Both note which accounts and endpoints may have more ready deliveries than the claim took (mayHaveMore). Once
// one of these has a free slot, another claim is worth its cost (mayClaimMore).
//
// All of it is in memory and per process. A crash forgets what endpoints had earned; WarmStart reads it from
// records.
import type { Capacity, Claim, AccountEndpoint } from '../../src/domain/delivery/claim.js';
import type { RecentAttempt } from '../../src/domain/delivery/deliveries.js';
import { type Clock, processClock } from '../clock.js';

/** Counts the slots that one lane of one process holds, and says what it may claim and start. */
export class ConcurrencyLimiter {
  readonly slots: number;
  /** Slots reserved for accounts that hold none. */
  readonly reserved: number;
  /** Slots that a claim may fill of an endpoint that {@link grantSlots} does not name. */
  readonly perEndpoint: number;
  readonly #clock: Clock;
  readonly #accounts: AccountSlots;
  readonly #endpoints: EndpointSlots;
  #held = 0;
  #waiting: (() => void)[] = [];

  constructor(slots: number, perEndpoint: number, options: LimiterOptions = {}) {
    const limit = Math.min(perEndpoint, slots);
    const { initial = limit, perHost = slots, reserved = 0, clock = processClock } = options;

    this.slots = slots;
    this.reserved = reserved;
    this.perEndpoint = Math.min(initial, limit);
    this.#clock = clock;
    this.#accounts = new AccountSlots(slots, options);

    this.#endpoints = new EndpointSlots({
      slots: slots - reserved,
      limit,
      initial: this.perEndpoint,
      perHost,
    });
  }

  /** Slots held by attempts in flight and by claims that wait to start. */
  get held(): number {
    return this.#held;
  }

  /** Slots that any account may still take; negative while claims wait to start. */
  get free(): number {
    return this.slots - this.reserved - this.#held;
  }

  /** Slots that accounts without one may still take. */
  get reservedFree(): number {
    return this.#accounts.reservedFree;
  }

  /**
   * Resolves when a slot is free or expected among the next `prefetch`, when `signal` aborts, or after
   * `limitMs` milliseconds.
   * @returns whether a claim may be made
   */
  async waitForCapacity(signal: AbortSignal, prefetch = 0, limitMs?: number): Promise<boolean> {
    if (this.free + prefetch > 0) return true;
    const wait = { isLate: false };
    const late = () => {
      wait.isLate = true;
      this.#notifyWaiting();
    };
    const cancelTimer = limitMs === undefined ? undefined : this.#clock.after(limitMs, late);
    while (this.free + prefetch <= 0 && !signal.aborted && !wait.isLate)
      await this.#slotFreed(signal);
    cancelTimer?.();
    return this.free + prefetch > 0;
  }

  /**
   * Grants slots to the known endpoints for the next claim; the spare ones begin with another endpoint each time.
   * @returns the used slots by endpoint, relative to {@link perEndpoint}, see {@link Capacity.usedSlots}
   */
  grantSlots(): ReadonlyMap<string, number> {
    return this.#endpoints.grant(this.#clock.now());
  }

  /** Grants slots for the next claim of any account. @returns its capacity, at most `slots` */
  capacityFor(slots: number): Capacity {
    const now = this.#clock.now();
    const usedSlots = this.grantSlots();
    const { perAccount, accounts } = this.#accounts.grant(this.#endpoints.slowHeld(now));

    return {
      slots,
      perEndpoint: this.perEndpoint,
      usedSlots,
      perAccount,
      accounts,
      fastEndpoints: this.#endpoints.fastEndpoints(accounts, now),
      fullEndpoints: this.#endpoints.fullEndpoints(),
    };
  }

  /**
   * Grants slots for a claim of accounts that hold none; they have no full endpoints.
   * @returns its capacity, at most `slots`
   */
  reservedCapacityFor(slots: number): Capacity {
    const usedSlots = this.grantSlots();
    const { perAccount, accounts } = this.#accounts.grantReserved();
    return { slots, perEndpoint: this.perEndpoint, usedSlots, perAccount, accounts };
  }

  /** Takes a slot for each claim that a claim of `capacity` returned. */
  acquireClaimed(claims: readonly SlotHolder[], capacity: Capacity): void {
    for (const { endpointId, accountId, url } of claims) this.acquire(endpointId, accountId, url);
    this.#accounts.noteClaim(claims, capacity);
    this.#endpoints.noteClaim(claims, capacity);
  }

  /**
   * Takes slots for claims that waited without any, as far as their endpoints have free ones.
   * @returns the claims with slots, and those of endpoints without a free one
   */
  acquireFree(claims: readonly BufferedClaim[]): { acquired: BufferedClaim[]; full: Claim[] } {
    const usedSlots = new Map(this.grantSlots());
    const acquired: BufferedClaim[] = [];
    const full: Claim[] = [];

    for (const buffered of claims) {
      const { endpointId, accountId, url } = buffered.claim;
      const count = usedSlots.get(endpointId) ?? 0;
      if (count >= this.perEndpoint) {
        full.push(buffered.claim);
        continue;
      }

      usedSlots.set(endpointId, count + 1);
      this.acquire(endpointId, accountId, url);
      acquired.push(buffered);
    }

    return { acquired, full };
  }

  /** Takes a slot for an attempt to `endpointId`, at the host of `url`. */
  acquire(endpointId: string, accountId = '', url?: string): void {
    this.#held += 1;
    this.#endpoints.acquire(endpointId, accountId, url);
    this.#accounts.acquire(accountId);
  }

  /** Whether another claim may bring more: an account or endpoint that may have more has a free slot now. */
  get mayClaimMore(): boolean {
    const now = this.#clock.now();
    const slowHeld = this.#endpoints.slowHeld(now);
    const hasRoom = (accountId: string) => this.#accounts.hasRoom(accountId, slowHeld);
    return this.#endpoints.mayClaimMore(now, hasRoom) || this.#accounts.mayClaimMore(hasRoom);
  }

  /** Whether an attempt of any account may start. */
  get anyMayStart(): boolean {
    return this.#accounts.anyMayStart;
  }

  /** Whether an attempt may start, for which a slot is held. */
  mayStart({ accountId, endpointId }: SlotHolder): boolean {
    return this.#accounts.mayStart(accountId) && this.#endpoints.mayStart(endpointId);
  }

  /** Starts an attempt to `endpointId`, for which a slot is held. @returns its start time */
  start(endpointId: string): number {
    const now = this.#clock.now();
    this.#endpoints.start(endpointId, now);
    this.#accounts.start(this.#endpoints.accountOf(endpointId));
    return now;
  }

  /**
   * Releases a slot.
   * @param startedAt start time of the attempt. Defaults to that of the oldest in flight
   * @returns whether another claim may bring more of its endpoint or its account
   */
  release(endpointId: string, result: SlotResult, startedAt?: number): boolean {
    const accountId = this.#endpoints.accountOf(endpointId);
    const endpointMayHaveMore = this.#endpoints.release(
      endpointId,
      result,
      this.#clock.now(),
      startedAt,
    );
    const accountMayHaveMore = this.#accounts.release(accountId, result !== 'notStarted');
    this.#held -= 1;
    this.#notifyWaiting();
    return endpointMayHaveMore || accountMayHaveMore;
  }

  /** Resolves when no slot is held. */
  async idle(): Promise<void> {
    while (this.#held > 0) await this.#slotFreed();
  }

  /** Restores the slots that endpoints earned before this process started. @param attempts oldest first */
  restore(attempts: readonly RecentAttempt[]): void {
    this.#endpoints.restore(attempts);
  }

  #notifyWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  #slotFreed(signal?: AbortSignal): Promise<void> {
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

/**
 * The limits of a lane: an account has a quarter of the slots, a tenth is reserved, and an endpoint starts
 * with a tenth of its limit.
 */
export function laneLimiter(
  slots: number,
  perEndpoint: number,
  perHost: number,
): ConcurrencyLimiter {
  return new ConcurrencyLimiter(slots, perEndpoint, {
    initial: Math.ceil(perEndpoint / 10),
    perHost,
    perAccount: Math.ceil(slots / 4),
    reserved: Math.floor(slots / 10),
  });
}

/** Limits in addition to the total and the limit per endpoint. */
interface LimiterOptions extends AccountLimits {
  /** Slots of an endpoint that has not responded yet. Defaults to the limit per endpoint. */
  readonly initial?: number;
  /** Slots that the endpoints of an account at one host share. Defaults to all. */
  readonly perHost?: number;
  /** Defaults to the process clock. */
  readonly clock?: Clock;
}

/** The account and the endpoint that hold a slot. Without a URL, the host has no limit. */
type SlotHolder = Pick<Claim, 'accountId' | 'endpointId'> & Partial<Pick<Claim, 'url'>>;

/** A claim whose attempt has not started; `claimedAt` in milliseconds of the clock. */
export interface BufferedClaim {
  readonly claim: Claim;
  readonly claimedAt: number;
}

/** How an attempt ended: with a response, without one, by an error of the service, or before it started. */
export type SlotResult = 'responded' | 'noResponse' | 'internalError' | 'notStarted';

/** Limits of the slots of one account. */
interface AccountLimits {
  /** Slots per account, without those of fast endpoints. Defaults to all. */
  readonly perAccount?: number;
  /** Slots reserved for accounts that hold none. Defaults to 0. */
  readonly reserved?: number;
}

/** The slots that the endpoints of an account hold together. */
interface AccountState {
  held: number;
  /** Slots whose attempts have started. */
  started: number;
  /** The last claim skipped the account or used up its capacity, so more may be ready. */
  mayHaveMore: boolean;
}

/** At least this many accounts can take reserved slots, because a claim gives each only its part of them. */
const minAccountsInReserve = 4;

/**
 * The slots of a lane by account. What its fast endpoints hold does not count towards the limit of an account, because
 * they free their slots soon.
 */
class AccountSlots {
  readonly #slots: number;
  readonly #perAccount: number;
  readonly #reserved: number;
  readonly #accounts = new Map<string, AccountState>();
  #started = 0;
  /** Accounts that hold slots, but have no started attempt. */
  #accountsNotStarted = 0;

  constructor(slots: number, { perAccount = slots, reserved = 0 }: AccountLimits) {
    this.#slots = slots;
    this.#perAccount = Math.min(perAccount, slots);
    this.#reserved = reserved;
  }

  /** Free slots for accounts that hold none. */
  get reservedFree(): number {
    return Math.min(this.#reserved, this.#slots - this.#started);
  }

  /** Whether an attempt of any account may start. */
  get anyMayStart(): boolean {
    if (this.#started < this.#slots - this.#reserved) return true;
    return this.#started < this.#slots && this.#accountsNotStarted > 0;
  }

  /** Whether an attempt of this account may start, for which it holds a slot. */
  mayStart(accountId: string): boolean {
    if (this.#started < this.#slots - this.#reserved) return true;
    return this.#started < this.#slots && this.#accounts.get(accountId)?.started === 0;
  }

  /** Grants each account its capacity for the next claim. @param slowHeld see {@link EndpointSlots.slowHeld} */
  grant(slowHeld: ReadonlyMap<string, number>) {
    const accounts = new Map<string, number>();
    for (const [id, account] of this.#accounts) {
      const capacity = Math.max(0, this.#perAccount - (slowHeld.get(id) ?? 0));
      account.mayHaveMore = capacity === 0;
      accounts.set(id, capacity);
    }
    return { perAccount: this.#perAccount, accounts };
  }

  /** Grants the reserved slots to accounts that hold none, and nothing to the others. */
  grantReserved() {
    const accounts = new Map([...this.#accounts.keys()].map((id) => [id, 0]));
    const perAccount = Math.min(
      this.#perAccount,
      Math.ceil(this.reservedFree / minAccountsInReserve),
    );
    return { perAccount, accounts };
  }

  /** Notes the accounts whose capacity a claim of `capacity` used up: they may have more. */
  noteClaim(
    claims: readonly SlotHolder[],
    { slots, perAccount = slots, accounts, fastEndpoints = [] }: Capacity,
  ): void {
    const fastIds = new Set(fastEndpoints.map(({ endpointId }) => endpointId));
    const counts = new Map<string, number>();
    for (const { accountId, endpointId } of claims) {
      if (!fastIds.has(endpointId)) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
    }

    for (const [id, count] of counts) {
      const account = this.#accounts.get(id);
      if (account && count >= (accounts?.get(id) ?? perAccount)) account.mayHaveMore = true;
    }
  }

  /** Whether an account may take another slot. @param slowHeld see {@link EndpointSlots.slowHeld} */
  hasRoom(accountId: string, slowHeld: ReadonlyMap<string, number>): boolean {
    return (slowHeld.get(accountId) ?? 0) < this.#perAccount;
  }

  /** Whether an account that may have more has room now. */
  mayClaimMore(hasRoom: (accountId: string) => boolean): boolean {
    return [...this.#accounts].some(([id, { mayHaveMore }]) => mayHaveMore && hasRoom(id));
  }

  /** Takes a slot. */
  acquire(accountId: string): void {
    const account = this.#accounts.get(accountId);
    if (account) account.held += 1;
    else {
      this.#accounts.set(accountId, { held: 1, started: 0, mayHaveMore: false });
      this.#accountsNotStarted += 1;
    }
  }

  /** Starts an attempt, for which a slot is held. */
  start(accountId: string): void {
    const account = this.#accounts.get(accountId);
    if (!account) return;
    this.#started += 1;
    account.started += 1;
    if (account.started === 1) this.#accountsNotStarted -= 1;
  }

  /**
   * Releases a slot.
   * @returns whether the account may have more
   */
  release(accountId: string, wasStarted: boolean): boolean {
    const account = this.#accounts.get(accountId);
    if (!account) return false;

    account.held -= 1;

    if (wasStarted) {
      this.#started -= 1;
      account.started -= 1;
      if (account.started === 0) this.#accountsNotStarted += 1;
    }

    if (account.held === 0) {
      this.#accountsNotStarted -= 1;
      this.#accounts.delete(accountId);
    }

    return account.mayHaveMore;
  }
}

/** The earned slots of at most this many endpoints that hold none are remembered. */
const maxIdle = 500;

/**
 * The slots of a lane by endpoint. An endpoint starts with a few and earns one per response, up to its limit. Beyond
 * those first few, endpoints that have not just responded share at most half of all slots, in turns. The endpoints of
 * an account at one host share the slots of {@link HostSlots}.
 */
class EndpointSlots {
  readonly #limits: EndpointLimits;
  readonly #hosts: HostSlots;
  readonly #states = new Map<string, EndpointState>();
  /** Endpoints that hold no slot, the longest idle first. */
  readonly #idle = new Set<string>();
  /** Index of the endpoint that gets spare slots first. */
  #nextIndex = 0;

  constructor(limits: EndpointLimits) {
    this.#limits = limits;
    this.#hosts = new HostSlots(limits.perHost, limits.slots);
  }

  /** The account of an endpoint that holds a slot. */
  accountOf(endpointId: string): string {
    return this.#stateOf(endpointId).accountId;
  }

  /**
   * Grants each endpoint slots for the next claim, and moves the first turn for spare slots on.
   * @returns the used slots by endpoint: those it holds less those granted beyond the initial ones
   */
  grant(now: number): ReadonlyMap<string, number> {
    const usedSlots = new Map<string, number>();
    let spareSlots = this.#spareSlots(now);

    this.#nextIndex = (this.#nextIndex + 1) % Math.max(1, this.#states.size);

    for (const [endpointId, state] of this.#roundRobin()) {
      const limit = this.#limitOf(state, now);
      const guaranteed = isResponsive(state, now)
        ? limit
        : Math.max(state.held, this.#limits.initial);
      const freeOfHost = this.#hosts.free(state.host);
      state.granted = Math.min(limit, guaranteed + spareSlots, state.held + freeOfHost);
      spareSlots -= Math.max(0, state.granted - guaranteed);
      usedSlots.set(endpointId, state.held - (state.granted - this.#limits.initial));
    }

    return usedSlots;
  }

  /** The slots that the endpoints of an account hold, without those of fast endpoints, by account. */
  slowHeld(now: number): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const state of this.#states.values()) {
      if (state.held === 0 || isFast(state, now)) continue;
      counts.set(state.accountId, (counts.get(state.accountId) ?? 0) + state.held);
    }
    return counts;
  }

  /**
   * Fast endpoints with free slots, of which a claim takes beyond the capacity of their accounts: those that may have
   * more, and those of accounts without capacity.
   * @param accounts capacity by account
   */
  fastEndpoints(accounts: ReadonlyMap<string, number>, now: number): AccountEndpoint[] {
    const freeOfHosts = new Map<string | undefined, number>();
    return this.#roundRobin().flatMap(([endpointId, state]) => {
      const { accountId, host, held, granted, mayHaveMore } = state;
      if (!(mayHaveMore || accounts.get(accountId) === 0)) return [];
      if (held >= granted || !isFast(state, now)) return [];

      // No limit of an account bounds what a claim takes of these, so they share the slots of their host.
      const free = freeOfHosts.get(host) ?? this.#hosts.free(host);
      if (free <= 0) return [];
      freeOfHosts.set(host, free - (granted - held));
      return { accountId, endpointId };
    });
  }

  /** Endpoints that {@link grant} left without a free slot. */
  fullEndpoints(): AccountEndpoint[] {
    return [...this.#states].flatMap(([endpointId, { accountId, held, granted }]) =>
      held >= granted ? { accountId, endpointId } : [],
    );
  }

  /** Whether an endpoint that may have more has a free slot now, and its account has room if it is slow. */
  mayClaimMore(now: number, hasRoom: (accountId: string) => boolean): boolean {
    return [...this.#states.values()].some(
      (state) =>
        state.mayHaveMore &&
        state.held < state.granted &&
        (isFast(state, now) || hasRoom(state.accountId)),
    );
  }

  /**
   * Notes which endpoints may have more: those whose slots a claim of `capacity` filled. The claim may not have reached
   * the others.
   */
  noteClaim(claims: readonly SlotHolder[], capacity: Capacity): void {
    const {
      slots,
      perEndpoint,
      usedSlots,
      accounts,
      perAccount = slots,
      fastEndpoints = [],
    } = capacity;
    const counts = new Map<string, number>();
    for (const { endpointId } of claims) counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);

    const fastIds = new Set(fastEndpoints.map(({ endpointId }) => endpointId));
    for (const [endpointId, state] of this.#states) {
      const count = counts.get(endpointId) ?? 0;
      const accountHadRoom =
        fastIds.has(endpointId) || (accounts?.get(state.accountId) ?? perAccount) > 0;
      const mayBeUnreached = count === 0 && (claims.length >= slots || !accountHadRoom);
      if (!mayBeUnreached)
        state.mayHaveMore = count >= perEndpoint - (usedSlots.get(endpointId) ?? 0);
    }
  }

  /** Takes a slot. */
  acquire(endpointId: string, accountId: string, url?: string): void {
    const state = this.#states.get(endpointId) ?? this.#newState(accountId);
    this.#states.set(endpointId, state);
    this.#idle.delete(endpointId);
    if (state.url !== url) this.#move(state, url);
    state.held += 1;
    this.#hosts.acquire(state.host);
    if (state.held >= state.granted) state.mayHaveMore = true;
  }

  /** Restores the slots of endpoints that have not responded yet. @param attempts oldest first */
  restore(attempts: readonly RecentAttempt[]): void {
    const earned = earnedSlots(attempts, this.#limits);
    for (const [endpointId, { accountId, limit: restored, fast }] of earned) {
      const state = this.#states.get(endpointId) ?? this.#newState(accountId);
      if (state.lastResponseAt !== -Infinity) continue;
      state.limit = Math.max(state.limit, restored);
      state.fast = fast;
      this.#states.set(endpointId, state);
      if (state.held === 0) this.#markIdle(endpointId, state);
    }
  }

  /** Whether the host of an endpoint has a free slot for an attempt, for which the endpoint holds one. */
  mayStart(endpointId: string): boolean {
    return this.#hosts.mayStart(this.#states.get(endpointId)?.host);
  }

  /** Starts an attempt, for which a slot is held. */
  start(endpointId: string, now: number): void {
    const state = this.#stateOf(endpointId);
    this.#hosts.start(state.host);
    if (state.startedAt.length === 0) state.lastActivityAt = now;
    state.startedAt.push(now);
  }

  /** Releases a slot. @returns whether another claim may bring more of the endpoint or of its host */
  release(endpointId: string, result: SlotResult, now: number, startedAt?: number): boolean {
    const state = this.#stateOf(endpointId);
    const limit = this.#limitOf(state, now);
    const wasFull = state.held >= Math.min(limit, state.granted);

    if (result !== 'notStarted') {
      const index = startedAt === undefined ? 0 : state.startedAt.indexOf(startedAt);
      const attemptStartedAt = state.startedAt.splice(index, 1)[0] ?? now;

      if (result === 'responded') {
        state.limit = Math.min(limit + 1, this.#limits.limit);
        recordResponse(state, attemptStartedAt, now);
      } else if (result === 'noResponse') {
        state.limit = this.#limits.initial;
        state.fast = false;
      }
    }

    state.held -= 1;

    const hostWasFull = this.#hosts.release(state.host, 1, result === 'notStarted' ? 0 : 1);
    if (state.held === 0) this.#markIdle(endpointId, state);

    return state.mayHaveMore || wasFull || hostWasFull;
  }

  /** All endpoints once, beginning with the one whose turn is first. */
  #roundRobin(): [string, EndpointState][] {
    const states = [...this.#states];
    return [...states.splice(this.#nextIndex), ...states];
  }

  #stateOf(endpointId: string): EndpointState {
    const state = this.#states.get(endpointId);
    if (!state || state.held === 0) throw new Error(`no slot is held for ${endpointId}`);
    return state;
  }

  #newState(accountId: string): EndpointState {
    const initial = this.#limits.initial;
    return {
      accountId,
      url: undefined,
      host: undefined,
      held: 0,
      startedAt: [],
      limit: initial,
      granted: initial,
      lastActivityAt: 0,
      lastResponseAt: -Infinity,
      mayHaveMore: false,
      fast: false,
    };
  }

  /** Counts the slots of an endpoint for the host of its new URL. */
  #move(state: EndpointState, url: string | undefined): void {
    const { host, held, startedAt } = state;
    state.url = url;
    state.host = this.#hosts.keyOf(state.accountId, url);
    if (held === 0 || host === state.host) return;
    this.#hosts.release(host, held, startedAt.length);
    this.#hosts.acquire(state.host, held, startedAt.length);
  }

  /** Slots that endpoints which have not just responded may still get beyond their initial ones. */
  #spareSlots(now: number): number {
    let spareSlots = Math.floor(this.#limits.slots / 2);
    for (const state of this.#states.values()) {
      if (!isResponsive(state, now)) spareSlots -= Math.max(0, state.held - this.#limits.initial);
    }
    return Math.max(0, spareSlots);
  }

  #limitOf(state: EndpointState, now: number): number {
    return isUnresponsive(state, now) ? this.#limits.initial : state.limit;
  }

  #markIdle(endpointId: string, state: EndpointState): void {
    const earned = state.limit > this.#limits.initial || state.fast;
    if (!earned) return void this.#states.delete(endpointId);
    this.#idle.add(endpointId);
    if (this.#idle.size <= maxIdle) return;
    const [oldest = ''] = this.#idle;
    this.#idle.delete(oldest);
    this.#states.delete(oldest);
  }
}

/** Limits of the slots of one endpoint. */
interface EndpointLimits {
  /** Slots that all endpoints share. */
  readonly slots: number;
  /** Slots that one endpoint can earn, at most. */
  readonly limit: number;
  /** Slots of an endpoint that has not responded yet. */
  readonly initial: number;
  /** Slots that the endpoints of an account at one host share. */
  readonly perHost: number;
}

/** The slots and responses of one endpoint. */
interface EndpointState {
  readonly accountId: string;
  /** Where its attempts go; undefined before its first claim. */
  url: string | undefined;
  /** The key of the host of `url`, see {@link HostSlots.keyOf}. */
  host: string | undefined;
  /** Slots of its attempts in flight and of its claims that wait to start. */
  held: number;
  /** When its attempts in flight started, oldest first. */
  readonly startedAt: number[];
  /** Slots that it has earned. */
  limit: number;
  /** Slots that the last claim could fill: at most `limit`. */
  granted: number;
  /** When it last responded, or got its first attempt after none was in flight. */
  lastActivityAt: number;
  lastResponseAt: number;
  /** A claim filled its slots, so more may be ready. */
  mayHaveMore: boolean;
  /** Whether its last response came within {@link fastMs}. */
  fast: boolean;
}

/** An endpoint that responded within this time is expected to free its slots soon. */
const responsiveMs = 25;

/** A response within this time is fast. */
const fastMs = 1_000;

/** An endpoint silent for longer than this is limited like one that never responded. */
const unresponsiveMs = 500;

/** Whether an endpoint has just responded; `now` in milliseconds of the same clock. */
function isResponsive({ lastResponseAt }: EndpointState, now: number): boolean {
  return now - lastResponseAt <= responsiveMs;
}

/** Whether a response that took `durationMs` milliseconds is fast. */
function isFastResponse(durationMs: number): boolean {
  return durationMs <= fastMs;
}

/** Whether the last response was fast, and no attempt in flight takes longer than {@link fastMs}. */
function isFast({ fast, startedAt }: EndpointState, now: number): boolean {
  const oldest = startedAt[0] ?? Infinity;
  return fast && now - oldest <= fastMs;
}

/** Whether attempts are in flight and the endpoint has been silent for {@link unresponsiveMs}. */
function isUnresponsive({ startedAt, lastActivityAt }: EndpointState, now: number): boolean {
  return startedAt.length > 0 && now - lastActivityAt > unresponsiveMs;
}

/** Notes the response to an attempt that started at `startedAt`. */
function recordResponse(state: EndpointState, startedAt: number, now: number): void {
  state.lastActivityAt = now;
  state.lastResponseAt = now;
  state.fast = isFastResponse(now - startedAt);
}

/** The slots that endpoints have earned by their attempts before this process. @param attempts oldest first */
function earnedSlots(
  attempts: readonly RecentAttempt[],
  { initial, limit }: Pick<EndpointLimits, 'initial' | 'limit'>,
): ReadonlyMap<string, Pick<EndpointState, 'accountId' | 'limit' | 'fast'>> {
  const earned = new Map<string, Pick<EndpointState, 'accountId' | 'limit' | 'fast'>>();
  for (const { accountId, endpointId, answered, durationMs } of attempts) {
    const earlierLimit = earned.get(endpointId)?.limit ?? initial;
    earned.set(endpointId, {
      accountId,
      limit: answered ? Math.min(earlierLimit + 1, limit) : initial,
      fast: answered && durationMs !== null && isFastResponse(durationMs),
    });
  }
  return earned;
}

/** The slots that the endpoints of one account at one host hold together. */
interface HostState {
  held: number;
  /** Slots whose attempts have started. */
  started: number;
}

/**
 * The slots of a lane by account and host: a thousand endpoints may name one foreign host.
 *
 * - While a host has no free slot, claims skip the endpoints that the process knows there.
 * - A claim may bring more of a host than is free, because it finds endpoints and not hosts. Their attempts start in
 *   the order of the claims, one whenever another ends.
 *
 * A host is named by a key, see {@link keyOf}; undefined stands for a host without a limit.
 */
class HostSlots {
  readonly #limit: number;
  readonly #isLimited: boolean;
  readonly #hosts = new Map<string, HostState>();

  /**
   * @param limit slots of one account at one host, at most
   * @param slots slots of the lane; with a limit at or above this, hosts are not tracked
   */
  constructor(limit: number, slots: number) {
    this.#limit = limit;
    this.#isLimited = limit < slots;
  }

  /** The key of the host that `url` names. Ports and paths do not count: anyone can add another. */
  keyOf(accountId: string, url: string | undefined): string | undefined {
    if (!this.#isLimited || url === undefined) return undefined;
    return `${accountId} ${new URL(url).hostname.replace(/\.$/, '')}`;
  }

  /** Takes slots. */
  acquire(key: string | undefined, held = 1, started = 0): void {
    if (key === undefined) return;
    const host = this.#hosts.get(key) ?? { held: 0, started: 0 };
    this.#hosts.set(key, host);
    host.held += held;
    host.started += started;
  }

  /** Free slots of a host. */
  free(key: string | undefined): number {
    if (key === undefined) return Infinity;
    return Math.max(0, this.#limit - (this.#hosts.get(key)?.held ?? 0));
  }

  /** Whether an attempt may start, for which a slot is held. */
  mayStart(key: string | undefined): boolean {
    return key === undefined || (this.#hosts.get(key)?.started ?? 0) < this.#limit;
  }

  /** Starts an attempt, for which a slot is held. */
  start(key: string | undefined): void {
    const host = key === undefined ? undefined : this.#hosts.get(key);
    if (host) host.started += 1;
  }

  /** Releases slots. @returns whether the host had no free slot */
  release(key: string | undefined, held = 1, started = 0): boolean {
    const host = key === undefined ? undefined : this.#hosts.get(key);
    if (key === undefined || !host) return false;
    const wasFull = host.held >= this.#limit;
    host.held -= held;
    host.started -= started;
    if (host.held === 0) this.#hosts.delete(key);
    return wasFull;
  }
}
