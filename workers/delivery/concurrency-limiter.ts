import type { Capacity } from '../../src/domain/delivery/claim.js';
import type { RecentAttempt } from '../../src/domain/delivery/recent-attempts.js';
import { type AccountLimits, AccountSlots, type Claimed } from './account-slots.js';
import { type Clock, processClock } from '../process/clock.js';
import { EndpointSlots, type SlotResult } from './endpoint-slots.js';

/** Limits besides those in all and per endpoint. */
export interface LimiterOptions extends AccountLimits {
  /** Slots of an endpoint that has not responded yet. Defaults to the limit per endpoint. */
  readonly initial?: number;
  /** Attempts in flight of the endpoints of an account at one host, at most. Defaults to all. */
  readonly perHost?: number;
  /** Defaults to the process clock. */
  readonly clock?: Clock;
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

/**
 * Attempts in flight of one lane of one process: in all, per account and per endpoint.
 *
 * - An account has a part of the slots. Slots of its fast endpoints do not count.
 * - A few slots are reserved for accounts that hold none.
 * - An endpoint starts with a few slots and earns more with responses; see {@link EndpointSlots}.
 * - The endpoints of an account at one host share a number of slots.
 */
export class ConcurrencyLimiter {
  readonly slots: number;
  /** Slots reserved for accounts that hold none. */
  readonly reserved: number;
  /** Attempts in flight of an endpoint that is not in {@link inFlight}, at most. */
  readonly perEndpoint: number;
  readonly #clock: Clock;
  readonly #accounts: AccountSlots;
  readonly #endpoints: EndpointSlots;
  #total = 0;
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

  /** Attempts in flight and buffered claims. */
  get total(): number {
    return this.#total;
  }

  /** Attempts that any account may still start; negative while claims are buffered. */
  get free(): number {
    return this.slots - this.reserved - this.#total;
  }

  /** Attempts that accounts without a slot may still start. */
  get reservedFree(): number {
    return this.#accounts.reservedFree;
  }

  /** Attempts in flight by endpoint, less its slots beyond {@link perEndpoint}, for the next claim. */
  get inFlight(): ReadonlyMap<string, number> {
    return this.#endpoints.grant(this.#clock.now());
  }

  /** Whether the last claim may have skipped an endpoint or account that has a free slot now. */
  get mayHaveSkipped(): boolean {
    const now = this.#clock.now();
    const slowInFlight = this.#endpoints.slowInFlight(now);
    const hasRoom = (accountId: string) => this.#accounts.hasRoom(accountId, slowInFlight);
    return this.#endpoints.mayHaveSkipped(now, hasRoom) || this.#accounts.mayHaveSkipped(hasRoom);
  }

  /** Capacity of the next claim, at most `slots`. */
  capacityFor(slots: number): Capacity {
    const now = this.#clock.now();
    const { perEndpoint, inFlight } = this;
    const { perAccount, accounts } = this.#accounts.capacities(this.#endpoints.slowInFlight(now));
    const fast = this.#endpoints.fastEndpoints(accounts, now);
    const full = this.#endpoints.fullEndpoints();
    return { slots, perEndpoint, inFlight, perAccount, accounts, fast, full };
  }

  /** Capacity of a claim for accounts that hold no slot, at most `slots`. They have no full endpoints. */
  reservedCapacityFor(slots: number): Capacity {
    const { perEndpoint, inFlight } = this;
    return { slots, perEndpoint, inFlight, ...this.#accounts.reservedCapacity() };
  }

  /** Restores the slots that endpoints earned before this process started. @param attempts oldest first */
  restore(attempts: readonly RecentAttempt[]): void {
    this.#endpoints.restore(attempts);
  }

  /** Takes slots for the claims that a claim of `capacity` returned. */
  claimed(claims: readonly Claimed[], capacity: Capacity): void {
    for (const { endpointId, accountId, url } of claims) this.acquire(endpointId, accountId, url);
    this.#accounts.claimed(claims, capacity);
    this.#endpoints.claimed(claims, capacity);
  }

  /** Takes a slot for an attempt to `endpointId`, at the host of `url`. */
  acquire(endpointId: string, accountId = '', url?: string): void {
    this.#total += 1;
    this.#endpoints.acquire(endpointId, accountId, url);
    this.#accounts.acquire(accountId);
  }

  /** Whether an attempt of any account may start. */
  get anyMayStart(): boolean {
    return this.#accounts.anyMayStart;
  }

  /** Whether an attempt may start, for which a slot is held. */
  mayStart({ accountId, endpointId }: Claimed): boolean {
    return this.#accounts.mayStart(accountId) && this.#endpoints.mayStart(endpointId);
  }

  /** Notes that an attempt to `endpointId` starts, for which a slot is held. @returns its start time */
  started(endpointId: string): number {
    const now = this.#clock.now();
    this.#endpoints.started(endpointId, now);
    this.#accounts.started(this.#endpoints.accountOf(endpointId));
    return now;
  }

  /**
   * Releases a slot.
   * @param startedAt start time of the attempt. Defaults to that of the oldest in flight
   * @returns whether the last claim may have skipped its endpoint or its account
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
