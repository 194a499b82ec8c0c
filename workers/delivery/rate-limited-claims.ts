import type { Capacity, Claim, RateLimitedEndpoint } from '../../src/domain/delivery/claim.js';
import type { Clock } from '../process/clock.js';
import type { BufferedClaim } from './claim-buffer.js';
import { RateLimitedEndpoints, type RateLimitState } from './rate-limited-endpoints.js';
import { createSendGate } from './send-gate.js';
import type { SendTime, SendTimes } from './send-times.js';

export interface RateLimitedClaimsOptions {
  readonly times: Pick<SendTimes, 'reserve'>;
  readonly clock: Clock;
  /** Claims that wait, at most. */
  readonly maxWaiting: number;
  /** An attempt starts within this time after its claim came back. */
  readonly startTimeoutMs: number;
  /** Receives claims whose attempts are to start now. */
  readonly onDue: (claims: readonly BufferedClaim[]) => void;
  /** Receives claims that get no send time. */
  readonly onRelease: (claims: readonly Claim[]) => void;
  /** Called when claims may have skipped an endpoint that has room now. */
  readonly onRoom: () => void;
  readonly onError: (error: unknown) => void;
}

interface WaitingClaim extends BufferedClaim {
  readonly state: RateLimitState;
  /** Undefined until it is reserved. */
  time: SendTime | undefined;
}

/** When no send time could be reserved, by an error. */
const retryMs = 1_000;

/**
 * Claims of endpoints with a rate limit, until shortly before their send times. They hold no slots
 * meanwhile, so they delay no other endpoint.
 */
export class RateLimitedClaims {
  readonly #options: RateLimitedClaimsOptions;
  readonly #endpoints = new RateLimitedEndpoints();
  readonly #waiting = new Set<WaitingClaim>();
  /** The send times of claims whose attempts may start. */
  readonly #times = new WeakMap<Claim, SendTime>();
  #cancelTimer: (() => void) | undefined;

  constructor(options: RateLimitedClaimsOptions) {
    this.#options = options;
  }

  /** The endpoints with a rate limit, for the next claim. */
  endpoints(): RateLimitedEndpoint[] {
    return this.#endpoints.forClaim(this.#options.clock.now(), this.#free);
  }

  /**
   * Keeps what a claim of `capacity` returned of endpoints with a rate limit.
   * @returns the other claims
   */
  take(claims: readonly Claim[], capacity: Capacity, claimedAt: number): readonly Claim[] {
    const rateLimited = claims.filter(({ maxPerSecond }) => maxPerSecond !== null);
    if (rateLimited.length === 0 && this.#endpoints.none) return claims;
    this.#endpoints.claimed(claims, capacity);
    const taken: WaitingClaim[] = [];
    const excess: Claim[] = [];
    for (const claim of rateLimited) {
      const state = this.#endpoints.get(claim.endpointId);
      if (!state || state.waiting >= state.maxWaiting || this.#free === 0) {
        excess.push(claim);
        continue;
      }
      const waiting = { claim, claimedAt, state, time: undefined };
      state.waiting += 1;
      this.#waiting.add(waiting);
      taken.push(waiting);
    }
    if (excess.length > 0) this.#options.onRelease(excess);
    if (taken.length > 0) void this.#reserve(taken);
    // They filled their account without holding its slots, so its other endpoints were skipped.
    if (rateLimited.length > 0 && fillsAccount(claims, capacity)) this.#options.onRoom();
    return claims.filter(({ maxPerSecond }) => maxPerSecond === null);
  }

  /** Makes the attempt of a claim that starts now. @throws what `send` throws */
  async attempt<Ended>(
    claim: Claim,
    claimedAt: number,
    send: (gate: () => Promise<void>) => Promise<Ended>,
  ): Promise<Ended> {
    const state = this.#endpoints.get(claim.endpointId);
    if (state) state.running += 1;
    try {
      return await send(this.#gateOf(claim, claimedAt));
    } finally {
      if (state) state.running -= 1;
    }
  }

  /** Removes and returns all claims. */
  takeAll(): Claim[] {
    const waiting = [...this.#waiting];
    for (const each of waiting) this.#remove(each);
    this.#schedule();
    return waiting.map(({ claim }) => claim);
  }

  #gateOf(claim: Claim, claimedAt: number): () => Promise<void> {
    const { times, clock, startTimeoutMs } = this.#options;
    const { endpointId } = claim;
    return createSendGate({
      times,
      clock,
      endpointId,
      time: this.#times.get(claim),
      closesAt: claimedAt + startTimeoutMs,
      onReady: (tookMs) => this.#endpoints.connected(endpointId, tookMs),
      onRefused: (retryAt) => {
        this.#endpoints.refused(endpointId, retryAt);
        this.#schedule();
      },
    });
  }

  get #free(): number {
    return this.#options.maxWaiting - this.#waiting.size;
  }

  #remove(waiting: WaitingClaim): void {
    if (this.#waiting.delete(waiting)) waiting.state.waiting -= 1;
  }

  /** Reserves a send time for each of these claims, and releases those that get none. Never throws. */
  async #reserve(claims: readonly WaitingClaim[]): Promise<void> {
    const { times, clock, onRelease, onError } = this.#options;
    const wanted = new Map<string, number>();
    for (const { claim } of claims)
      wanted.set(claim.endpointId, (wanted.get(claim.endpointId) ?? 0) + 1);
    const answers = await times.reserve(wanted).catch((error: unknown) => {
      onError(error);
      const refusal = { times: [], retryAt: clock.now() + retryMs };
      return new Map([...wanted.keys()].map((id) => [id, refusal]));
    });
    const left = new Map([...answers].map(([id, answer]) => [id, [...answer.times]]));
    const without: Claim[] = [];
    for (const each of claims) {
      const { endpointId } = each.claim;
      each.time = left.get(endpointId)?.shift();
      if (each.time || !this.#waiting.has(each)) continue;
      this.#endpoints.refused(endpointId, answers.get(endpointId)?.retryAt ?? clock.now());
      this.#remove(each);
      without.push(each.claim);
    }
    if (without.length > 0) onRelease(without);
    this.#turn();
  }

  /** Hands over what is due, and says if claims may find more. */
  #turn(): void {
    const { clock, startTimeoutMs, onDue, onRelease, onRoom } = this.#options;
    const now = clock.now();
    const due: WaitingClaim[] = [];
    const late: WaitingClaim[] = [];
    const old: WaitingClaim[] = [];
    for (const each of this.#waiting) {
      if (!each.time || each.time.at - each.state.leadMs > now) continue;
      if (now <= each.time.until) due.push(each);
      else if (now < each.claimedAt + startTimeoutMs) late.push(each);
      else old.push(each);
    }
    for (const each of [...due, ...old]) this.#remove(each);
    for (const { claim, time } of due) if (time) this.#times.set(claim, time);
    for (const each of late) each.time = undefined;
    if (due.length > 0) onDue(due);
    if (old.length > 0) onRelease(old.map(({ claim }) => claim));
    // A process that hung sends none of them late: they would come in a bunch.
    if (late.length > 0) void this.#reserve(late);
    if (this.#free > 0 && this.#endpoints.mayHaveSkipped(now)) onRoom();
    this.#schedule();
  }

  #schedule(): void {
    const { clock } = this.#options;
    const now = clock.now();
    let next = this.#endpoints.nextRetryAt(now);
    for (const { time, state } of this.#waiting)
      if (time) next = Math.min(next, time.at - state.leadMs);
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (next === Infinity) return;
    this.#cancelTimer = clock.after(Math.max(0, Math.ceil(next - now)), () => this.#turn());
  }
}

function fillsAccount(
  claims: readonly Claim[],
  { slots, perAccount, accounts }: Capacity,
): boolean {
  const counts = new Map<string, number>();
  for (const { accountId } of claims) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
  return [...counts].some(([id, count]) => count >= (accounts?.get(id) ?? perAccount ?? slots));
}
