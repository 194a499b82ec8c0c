import type { AccountEndpoint, Capacity } from '../../src/domain/delivery/claim.js';
import type { RecentAttempt } from '../../src/domain/delivery/recent-attempts.js';
import type { Claimed } from './account-slots.js';
import { HostSlots } from './host-slots.js';
import {
  earnedSlots,
  isResponsive,
  isFast,
  isUnresponsive,
  recordResponse,
  type EndpointLimits,
  type EndpointState,
} from './endpoint-state.js';

/** How an attempt ended: with a response, without one, by an error of the service, or before it started. */
export type SlotResult = 'responded' | 'noResponse' | 'internalError' | 'notStarted';

/** Endpoints without an attempt in flight whose slots are remembered, at most. */
const maxIdle = 500;

/**
 * Slots of a process by endpoint. An endpoint starts with a few and earns one per response, up to its cap.
 * Beyond those first few, unresponsive endpoints share at most half of all slots. The endpoints of an
 * account at one host share the slots of {@link HostSlots}.
 */
export class EndpointSlots {
  readonly #limits: EndpointLimits;
  readonly #hosts: HostSlots;
  readonly #states = new Map<string, EndpointState>();
  /** Endpoints with no attempt in flight, the longest idle first. */
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

  /** Attempts in flight by endpoint, less the slots granted beyond the initial ones. */
  grant(now: number): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
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
      counts.set(endpointId, state.held - (state.granted - this.#limits.initial));
    }
    return counts;
  }

  /** Attempts in flight by account, without those of fast endpoints. */
  slowInFlight(now: number): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const state of this.#states.values()) {
      if (state.held === 0 || isFast(state, now)) continue;
      counts.set(state.accountId, (counts.get(state.accountId) ?? 0) + state.held);
    }
    return counts;
  }

  /** Fast endpoints with free slots: those with a backlog, and those of accounts without a free slot. */
  fastEndpoints(accounts: ReadonlyMap<string, number>, now: number): AccountEndpoint[] {
    const freeOfHosts = new Map<string | undefined, number>();
    return this.#roundRobin().flatMap(([endpointId, state]) => {
      const { accountId, host, held, granted, saturated } = state;
      if (!(saturated || accounts.get(accountId) === 0)) return [];
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

  /** Whether the last claim may have skipped due deliveries that the next claim can take. */
  mayHaveSkipped(now: number, hasRoom: (accountId: string) => boolean): boolean {
    const mayBring = (state: EndpointState) => isFast(state, now) || hasRoom(state.accountId);
    const states = [...this.#states.values()];
    return states.some((each) => each.saturated && each.held < each.granted && mayBring(each));
  }

  /** Notes the endpoints whose slots a claim of `capacity` filled: they may have more due deliveries. */
  claimed(claims: readonly Claimed[], capacity: Capacity): void {
    const { slots, perEndpoint, inFlight, accounts, perAccount = slots, fast = [] } = capacity;
    const counts = new Map<string, number>();
    for (const { endpointId } of claims) counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
    const listed = new Set(fast.map(({ endpointId }) => endpointId));
    for (const [endpointId, state] of this.#states) {
      const count = counts.get(endpointId) ?? 0;
      const hadRoom = listed.has(endpointId) || (accounts?.get(state.accountId) ?? perAccount) > 0;
      if (count === 0 && (claims.length >= slots || !hadRoom)) continue;
      state.saturated = count >= perEndpoint - (inFlight.get(endpointId) ?? 0);
    }
  }

  acquire(endpointId: string, accountId: string, url?: string): void {
    const state = this.#states.get(endpointId) ?? this.#newState(accountId);
    this.#states.set(endpointId, state);
    this.#idle.delete(endpointId);
    if (state.url !== url) this.#move(state, url);
    state.held += 1;
    this.#hosts.acquire(state.host);
    if (state.held >= state.granted) state.saturated = true;
  }

  /** Restores the slots of endpoints that have not responded yet. @param attempts oldest first */
  restore(attempts: readonly RecentAttempt[]): void {
    const earned = earnedSlots(attempts, this.#limits);
    for (const [endpointId, { accountId, limit: restored, fast }] of earned) {
      const state = this.#states.get(endpointId) ?? this.#newState(accountId);
      if (state.lastResponseAt !== -Infinity) continue;
      [state.limit, state.fast] = [Math.max(state.limit, restored), fast];
      this.#states.set(endpointId, state);
      if (state.held === 0) this.#markIdle(endpointId, state);
    }
  }

  /** Whether the host of an endpoint has a free slot for an attempt, for which the endpoint holds one. */
  mayStart(endpointId: string): boolean {
    return this.#hosts.mayStart(this.#states.get(endpointId)?.host);
  }

  /** Notes that an attempt starts, for which a slot is held. */
  started(endpointId: string, now: number): void {
    const state = this.#stateOf(endpointId);
    this.#hosts.started(state.host);
    if (state.startedAt.length === 0) state.lastActivityAt = now;
    state.startedAt.push(now);
  }

  /** Releases a slot. @returns whether the endpoint may have more due deliveries */
  release(endpointId: string, result: SlotResult, now: number, startedAt?: number): boolean {
    const state = this.#stateOf(endpointId);
    const limit = this.#limitOf(state, now);
    const wasFull = state.held >= Math.min(limit, state.granted);
    if (result !== 'notStarted') {
      const index = startedAt === undefined ? 0 : state.startedAt.indexOf(startedAt);
      const [attemptStartedAt = now] = state.startedAt.splice(index, 1);
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
    return state.saturated || wasFull || hostWasFull;
  }

  /** All endpoints once, from the one whose turn it is. */
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
      saturated: false,
      fast: false,
    };
  }

  /** Counts an endpoint for the host of its new URL, with its attempts in flight. */
  #move(state: EndpointState, url: string | undefined): void {
    const { host, held, startedAt } = state;
    state.url = url;
    state.host = this.#hosts.keyOf(state.accountId, url);
    if (held === 0 || host === state.host) return;
    this.#hosts.release(host, held, startedAt.length);
    this.#hosts.acquire(state.host, held, startedAt.length);
  }

  /** Slots that unresponsive endpoints may have beyond their initial ones. */
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
