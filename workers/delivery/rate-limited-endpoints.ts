import type { Capacity, Claim, RateLimitedEndpoint } from '../../src/domain/delivery/claim.js';
import { inFlightOf } from '../../src/domain/delivery/rules/rate-limited-endpoints.js';
import { maxWaitingOf } from './send-times.js';

/** What a lane of a process knows of an endpoint with a rate limit. */
export interface RateLimitState {
  readonly accountId: string;
  maxWaiting: number;
  /** Claims that wait for their send times. */
  waiting: number;
  /** Attempts that have started. */
  running: number;
  /** Send times near enough are all reserved until then. */
  refusedUntil: number;
  /** Its last claim took all that it might. */
  backlogged: boolean;
  /** Claims took nothing because there was no room. */
  skipped: boolean;
  /** How long before the send time an attempt starts, for its connection. */
  leadMs: number;
}

/** Endpoints that are remembered, unless more have waiting claims. */
const maxRemembered = 200;
const initialLeadMs = 25;
const maxLeadMs = 500;

/**
 * The endpoints with a rate limit that a lane has claimed for, with the room that each has for more
 * claims. Each has little, so that processes share its send times.
 */
export class RateLimitedEndpoints {
  readonly #states = new Map<string, RateLimitState>();

  /** Whether none is known. */
  get none(): boolean {
    return this.#states.size === 0;
  }

  get(endpointId: string): RateLimitState | undefined {
    return this.#states.get(endpointId);
  }

  /** All of them, for the next claim. @param free how many more claims can wait */
  forClaim(now: number, free: number): RateLimitedEndpoint[] {
    return [...this.#states].map(([endpointId, state]) => {
      const { accountId, waiting, running, backlogged } = state;
      const room = Math.min(roomOf(state, now), free);
      state.skipped = room === 0;
      return { accountId, endpointId, waiting, running, room, backlogged };
    });
  }

  /** Notes which endpoints have a limit, and which may have more that is ready than was claimed. */
  claimed(claims: readonly Claim[], capacity: Capacity): void {
    const counts = new Map<string, number>();
    for (const { endpointId, accountId, maxPerSecond } of claims) {
      counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
      if (maxPerSecond === null) this.#states.delete(endpointId);
      else this.#remember(endpointId, accountId, maxPerSecond);
    }
    const inFlight = inFlightOf(capacity);
    for (const [endpointId, state] of this.#states) {
      const room = capacity.perEndpoint - (inFlight.get(endpointId) ?? 0);
      const count = counts.get(endpointId) ?? 0;
      const looked = count > 0 || claims.length < capacity.slots;
      if (room > 0 && looked) state.backlogged = count >= room;
    }
  }

  /** Notes that no send time of an endpoint is near enough until `retryAt`. */
  refused(endpointId: string, retryAt: number): void {
    const state = this.#states.get(endpointId);
    if (!state) return;
    state.refusedUntil = Math.max(state.refusedUntil, retryAt);
    state.skipped = true;
  }

  /** Notes how long look-up, connect and TLS of an attempt took. */
  connected(endpointId: string, tookMs: number): void {
    const state = this.#states.get(endpointId);
    if (state) state.leadMs = Math.min(maxLeadMs, Math.max(1.25 * tookMs, 0.9 * state.leadMs));
  }

  /** Whether claims skipped an endpoint, or took all they might, and it has room now. */
  mayHaveSkipped(now: number): boolean {
    const states = [...this.#states.values()];
    return states.some((each) => mayHaveMore(each) && roomOf(each, now) > 0);
  }

  /** When an endpoint may be asked again that was refused send times; Infinity for none. */
  nextRetryAt(now: number): number {
    const refused = [...this.#states.values()].filter(
      (each) => mayHaveMore(each) && each.refusedUntil > now,
    );
    return Math.min(...refused.map(({ refusedUntil }) => refusedUntil));
  }

  #remember(endpointId: string, accountId: string, maxPerSecond: number): void {
    const maxWaiting = maxWaitingOf(maxPerSecond);
    const known = this.#states.get(endpointId);
    if (known) {
      known.maxWaiting = maxWaiting;
      return;
    }
    for (const [id, { waiting, running }] of this.#states) {
      if (this.#states.size < maxRemembered) break;
      if (waiting + running === 0) this.#states.delete(id);
    }
    const idle = {
      waiting: 0,
      running: 0,
      refusedUntil: -Infinity,
      backlogged: false,
      skipped: false,
    };
    this.#states.set(endpointId, { accountId, maxWaiting, ...idle, leadMs: initialLeadMs });
  }
}

/** Room for claims. A claim is worth its cost when half of the room is free. */
function roomOf({ maxWaiting, waiting, refusedUntil }: RateLimitState, now: number): number {
  if (refusedUntil > now || waiting > maxWaiting / 2) return 0;
  return maxWaiting - waiting;
}

function mayHaveMore({ backlogged, skipped }: RateLimitState): boolean {
  return backlogged || skipped;
}
