import type { Capacity } from '../../src/domain/delivery/claim.js';
import type { RecentAttempt } from '../../src/domain/delivery/recent-attempts.js';
import { type AccountLimits, AccountSlots, type Claimed } from './account-slots.js';
import { type Clock, processClock } from '../process/clock.js';
import { EndpointSlots, type SlotResult } from './endpoint-slots.js';

/** How slots are shared. */
export interface LimiterOptions extends AccountLimits {
  /** Attempts at an endpoint that has answered none yet. Defaults to as many as any endpoint. */
  readonly initial?: number;
  /** Defaults to the clock of the process. */
  readonly clock?: Clock;
}

/**
 * The limits of a lane: an account has a quarter of the slots, a tenth is kept, and an endpoint begins
 * with a tenth of its cap.
 */
export function laneLimiter(slots: number, perEndpoint: number): ConcurrencyLimiter {
  const [perAccount, reserved] = [Math.ceil(slots / 4), Math.floor(slots / 10)];
  return new ConcurrencyLimiter(slots, perEndpoint, {
    initial: Math.ceil(perEndpoint / 10),
    perAccount,
    reserved,
  });
}

/**
 * Attempts in flight of one lane of one process: in all, per account and per endpoint.
 *
 * - An account has a share of the slots. What endpoints hold that answer promptly does not count.
 * - A few slots are kept for accounts that hold none.
 * - An endpoint begins with few and earns more with answers; see {@link EndpointSlots}.
 */
export class ConcurrencyLimiter {
  readonly slots: number;
  /** Slots that are kept for accounts that hold none. */
  readonly reserved: number;
  /** Attempts in flight that an endpoint may have which is not named in {@link inFlight}. */
  readonly perEndpoint: number;
  readonly #clock: Clock;
  readonly #accounts: AccountSlots;
  readonly #endpoints: EndpointSlots;
  #total = 0;
  #waiting: (() => void)[] = [];

  constructor(slots: number, perEndpoint: number, options: LimiterOptions = {}) {
    const limit = Math.min(perEndpoint, slots);
    const { initial = limit, reserved = 0, clock = processClock } = options;
    this.slots = slots;
    this.reserved = reserved;
    this.perEndpoint = Math.min(initial, limit);
    this.#clock = clock;
    this.#accounts = new AccountSlots(slots, options);
    const endpointLimits = { slots: slots - reserved, limit, initial: this.perEndpoint };
    this.#endpoints = new EndpointSlots(endpointLimits);
  }

  /** Attempts in flight, and claims that wait for a slot. */
  get total(): number {
    return this.#total;
  }

  /** Attempts that any account may still start; negative while claims wait for a slot. */
  get free(): number {
    return this.slots - this.reserved - this.#total;
  }

  /** Attempts that accounts may still start which hold no slot. */
  get reservedFree(): number {
    return this.#accounts.reservedFree;
  }

  /** Attempts in flight by endpoint, less its slots beyond {@link perEndpoint}; input of the next claim. */
  get inFlight(): ReadonlyMap<string, number> {
    return this.#endpoints.grant(this.#clock.now());
  }

  /** Whether the last claim may have passed over an endpoint or account that has room by now. */
  get mayHaveSkipped(): boolean {
    const now = this.#clock.now();
    const slowInFlight = this.#endpoints.slowInFlight(now);
    const hasRoom = (accountId: string) => this.#accounts.hasRoom(accountId, slowInFlight);
    return this.#endpoints.mayHaveSkipped(now, hasRoom) || this.#accounts.mayHaveSkipped(hasRoom);
  }

  /** What the next claim may bring, `slots` at most. */
  capacityFor(slots: number): Capacity {
    const now = this.#clock.now();
    const { perEndpoint, inFlight } = this;
    const { perAccount, accounts } = this.#accounts.capacities(this.#endpoints.slowInFlight(now));
    const fast = this.#endpoints.fastEndpoints(accounts, now);
    return { slots, perEndpoint, inFlight, perAccount, accounts, fast };
  }

  /** What a claim may bring when only slots are free that are kept, `slots` at most. */
  reservedCapacityFor(slots: number): Capacity {
    const { perEndpoint, inFlight } = this;
    return { slots, perEndpoint, inFlight, ...this.#accounts.reservedCapacity() };
  }

  /** Gives endpoints what their attempts earned before this process started, the oldest first. */
  restore(attempts: readonly RecentAttempt[]): void {
    this.#endpoints.restore(attempts);
  }

  /** Holds slots for what a claim of `capacity` brought. */
  claimed(claims: readonly Claimed[], capacity: Capacity): void {
    for (const { endpointId, accountId } of claims) this.acquire(endpointId, accountId);
    this.#accounts.claimed(claims, capacity);
    this.#endpoints.claimed(claims, capacity);
  }

  /** Holds a slot for an attempt to `endpointId`. */
  acquire(endpointId: string, accountId = ''): void {
    this.#total += 1;
    this.#endpoints.acquire(endpointId, accountId);
    this.#accounts.acquire(accountId);
  }

  /** Whether an attempt of any account may begin. */
  get anyMayStart(): boolean {
    return this.#accounts.anyMayStart;
  }

  /** Whether an attempt may begin for which a slot is held. */
  mayStart({ accountId }: Pick<Claimed, 'accountId'>): boolean {
    return this.#accounts.mayStart(accountId);
  }

  /** Notes that an attempt begins to `endpointId`, for which a slot is held. @returns when */
  started(endpointId: string): number {
    const now = this.#clock.now();
    this.#endpoints.started(endpointId, now);
    this.#accounts.started(this.#endpoints.accountOf(endpointId));
    return now;
  }

  /**
   * Gives a slot back.
   * @param startedAt when the attempt began. Defaults to when the oldest did
   * @returns whether the last claim may have passed over its endpoint or its account
   */
  release(endpointId: string, result: SlotResult, startedAt?: number): boolean {
    const accountId = this.#endpoints.accountOf(endpointId);
    const endpointWasFull = this.#endpoints.release(
      endpointId,
      result,
      this.#clock.now(),
      startedAt,
    );
    const accountWasFull = this.#accounts.release(accountId, result !== 'notStarted');
    this.#total -= 1;
    this.#notifyWaiting();
    return endpointWasFull || accountWasFull;
  }

  /**
   * Resolves when a slot is free or will be among the next `prefetch`, when `signal` aborts, or after
   * `limitMs`.
   * @returns whether there is room
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

  /** Resolves when nothing is in flight. */
  async idle(): Promise<void> {
    while (this.#total > 0) await this.#slotFreed();
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
