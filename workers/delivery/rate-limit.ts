// Endpoints with a rate limit: their claims wait here, without slots, until shortly before their send times.
//
// PostgreSQL holds the next send time of each limited endpoint (endpoint_rate). Four parts, in the order of
// this file:
// - RateLimitedClaims holds the claims back, reserves their send times, and starts their attempts a little
//   before, so that the connection is open in time. The send gate then holds the request until its exact time.
// - RateLimitedEndpoints knows how many claims each endpoint has room for.
// - SendTimes reserves send times for all claims of an endpoint at once.
// - ClockConverter converts PostgreSQL's times to the clock of this process, as bounds within the shortest round
//   trip, so no request is sent early.
//
// A request that is 50 ms late reserves another send time, so no pause of a process ever sends a bunch. A crash
// loses reserved times: the endpoint gets less than its limit for a moment, never more.
import type {
  Capacity,
  Claim,
  RateLimitedEndpoint,
  Lane,
} from '../../src/domain/delivery/claim.js';
import {
  usedSlotsOf,
  type ReservedSendTimes,
  type WantedSendTimes,
} from '../../src/domain/delivery/send-times.js';
import { clockDrift } from '../../src/database/clock.js';
import { type Clock, delay } from '../clock.js';
import type { BufferedClaim } from './limiter.js';

interface RateLimitedClaimsOptions {
  readonly sendTimes: Pick<SendTimes, 'reserve'>;
  readonly clock: Clock;
  /** Claims that wait, at most. */
  readonly maxWaiting: number;
  /** An attempt starts within this time after its claim came back. */
  readonly startTimeoutMs: number;
  /** Called with claims whose send times are near: their attempts start now. */
  readonly onSendTimeNear: (claims: readonly BufferedClaim[]) => void;
  /** Called with claims that do not wait any longer, because there is no place or no send time for them. */
  readonly onGivenUp: (claims: readonly Claim[]) => void;
  /** Called when another claim may bring more, because a place or a slot is free again. */
  readonly onMayClaimMore: () => void;
  /** Called when send times could not be reserved. */
  readonly onError: (error: unknown) => void;
}

interface WaitingClaim extends BufferedClaim {
  readonly state: RateLimitState;
  /** Undefined until it is reserved. */
  sendTime: SendTime | undefined;
}

/** The pause after a failed reservation of send times. */
const retryMs = 1_000;

/**
 * Holds claims of endpoints with a rate limit back until shortly before their send times. They hold no slots
 * meanwhile, so they delay no other endpoint.
 */
export class RateLimitedClaims {
  readonly #options: RateLimitedClaimsOptions;
  readonly #endpoints = new RateLimitedEndpoints();
  readonly #waiting = new Set<WaitingClaim>();
  /** The send times of claims whose attempts may start. */
  readonly #reserved = new WeakMap<Claim, SendTime>();
  #cancelTimer: (() => void) | undefined;

  constructor(options: RateLimitedClaimsOptions) {
    this.#options = options;
  }

  /** Grants the known endpoints room for the next claim. */
  grantRoom(): RateLimitedEndpoint[] {
    return this.#endpoints.grantRoom(this.#options.clock.now(), this.#freePlaces);
  }

  /**
   * Holds back those claims of endpoints with a rate limit that a claim of `capacity` returned.
   * @returns the other claims
   */
  holdBack(claims: readonly Claim[], capacity: Capacity, claimedAt: number): readonly Claim[] {
    const rateLimited = claims.filter(({ maxPerSecond }) => maxPerSecond !== null);
    if (rateLimited.length === 0 && this.#endpoints.isEmpty) return claims;

    this.#endpoints.noteClaim(claims, capacity);

    const held: WaitingClaim[] = [];
    const excess: Claim[] = [];

    for (const claim of rateLimited) {
      const state = this.#endpoints.get(claim.endpointId);
      if (!state || state.waiting >= state.maxWaiting || this.#freePlaces === 0) {
        excess.push(claim);
        continue;
      }

      const waiting = { claim, claimedAt, state, sendTime: undefined };
      state.waiting += 1;
      this.#waiting.add(waiting);
      held.push(waiting);
    }

    if (excess.length > 0) this.#options.onGivenUp(excess);
    if (held.length > 0) void this.#reserve(held);

    // They used up the capacity of their account without holding its slots, so its other endpoints were skipped.
    if (rateLimited.length > 0 && fillsAccount(claims, capacity)) this.#options.onMayClaimMore();

    return claims.filter(({ maxPerSecond }) => maxPerSecond === null);
  }

  /** Makes the attempt of a claim that starts now, with its gate. @throws what `send` throws */
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
    for (const waitingClaim of waiting) this.#remove(waitingClaim);
    this.#setTimer();
    return waiting.map(({ claim }) => claim);
  }

  get #freePlaces(): number {
    return this.#options.maxWaiting - this.#waiting.size;
  }

  #remove(waiting: WaitingClaim): void {
    if (this.#waiting.delete(waiting)) waiting.state.waiting -= 1;
  }

  /** Reserves a send time for each of these claims, and gives those up that get none. Never throws. */
  async #reserve(claims: readonly WaitingClaim[]): Promise<void> {
    const { sendTimes, clock, onGivenUp, onError } = this.#options;
    const wanted = new Map<string, number>();

    for (const { claim } of claims)
      wanted.set(claim.endpointId, (wanted.get(claim.endpointId) ?? 0) + 1);

    const answers = await sendTimes.reserve(wanted).catch((error: unknown) => {
      onError(error);
      const refusal = { times: [], retryAt: clock.now() + retryMs };
      return new Map([...wanted.keys()].map((id) => [id, refusal]));
    });

    const unassigned = new Map([...answers].map(([id, { times }]) => [id, [...times]]));
    const givenUp: Claim[] = [];

    for (const waiting of claims) {
      const { endpointId } = waiting.claim;
      waiting.sendTime = unassigned.get(endpointId)?.shift();
      if (waiting.sendTime || !this.#waiting.has(waiting)) continue;
      this.#endpoints.noteRefusal(endpointId, answers.get(endpointId)?.retryAt ?? clock.now());
      this.#remove(waiting);
      givenUp.push(waiting.claim);
    }

    if (givenUp.length > 0) onGivenUp(givenUp);
    this.#startDue();
  }

  /** Starts the attempts whose send times are near, reserves other times for those that missed theirs, and goes on. */
  #startDue(): void {
    const { clock, startTimeoutMs, onSendTimeNear, onGivenUp, onMayClaimMore } = this.#options;
    const now = clock.now();
    const due: WaitingClaim[] = [];
    const late: WaitingClaim[] = [];
    const timedOut: WaitingClaim[] = [];

    for (const waiting of this.#waiting) {
      const { sendTime, state, claimedAt } = waiting;
      if (!sendTime || sendTime.at - state.leadMs > now) continue;
      if (now <= sendTime.until) due.push(waiting);
      else if (now < claimedAt + startTimeoutMs) late.push(waiting);
      else timedOut.push(waiting);
    }

    for (const waiting of [...due, ...timedOut]) this.#remove(waiting);
    for (const { claim, sendTime } of due) if (sendTime) this.#reserved.set(claim, sendTime);
    for (const waiting of late) waiting.sendTime = undefined;

    if (due.length > 0) onSendTimeNear(due);
    if (timedOut.length > 0) onGivenUp(timedOut.map(({ claim }) => claim));

    // After a pause of the process all of them are late. Sent now, they would reach the receiver in a bunch.
    if (late.length > 0) void this.#reserve(late);

    if (this.#freePlaces > 0 && this.#endpoints.mayClaimMore(now)) onMayClaimMore();
    this.#setTimer();
  }

  /** Starts the timer for the next attempt to start, or for the next claim of a refused endpoint. */
  #setTimer(): void {
    const { clock } = this.#options;
    const now = clock.now();
    let next = this.#endpoints.nextRetryAt(now);
    for (const { sendTime, state } of this.#waiting)
      if (sendTime) next = Math.min(next, sendTime.at - state.leadMs);

    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (next === Infinity) return;
    this.#cancelTimer = clock.after(Math.max(0, Math.ceil(next - now)), () => this.#startDue());
  }

  /**
   * Makes the send gate of one attempt: it waits, with the connection open, for the send time of the request. A request
   * that comes too late gets another send time, on the connection it has: a process that hung must not send a bunch,
   * and a receiver to which connecting takes long must get its requests.
   */
  #gateOf(claim: Claim, claimedAt: number): () => Promise<void> {
    const { sendTimes, clock, startTimeoutMs } = this.#options;
    const { endpointId } = claim;
    const startedAt = clock.now();
    let sendTime = this.#reserved.get(claim);
    // The lease must outlast the attempt. What connecting takes comes on top: it counts towards the attempt's timeout.
    let closesAt = claimedAt + startTimeoutMs;
    let isConnected = false;

    return async () => {
      if (!isConnected) {
        const tookMs = clock.now() - startedAt;
        this.#endpoints.noteConnect(endpointId, tookMs);
        closesAt += tookMs;
      }

      isConnected = true;

      for (;;) {
        const now = clock.now();

        if (sendTime && now <= sendTime.until) {
          if (sendTime.at <= now) return;
          if (sendTime.at > closesAt) throw new SendTimeMissed();
          await delay(clock, Math.ceil(sendTime.at - now));
          continue;
        }

        // The claim has no send time or missed it, so it asks for another one.
        if (now > closesAt) throw new SendTimeMissed();
        const answer = (await sendTimes.reserve(new Map([[endpointId, 1]]))).get(endpointId);
        [sendTime] = answer?.times ?? [];
        if (sendTime) continue;

        if (answer) {
          this.#endpoints.noteRefusal(endpointId, answer.retryAt);
          this.#setTimer();
        }
        throw new SendTimeMissed();
      }
    };
  }
}

/** Whether the claims used up the capacity of an account. */
function fillsAccount(
  claims: readonly Claim[],
  { slots, perAccount, accounts }: Capacity,
): boolean {
  const counts = new Map<string, number>();
  for (const { accountId } of claims) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
  return [...counts].some(([id, count]) => count >= (accounts?.get(id) ?? perAccount ?? slots));
}

/** The request was not sent, because no send time was near enough. */
export class SendTimeMissed extends Error {
  override readonly name = 'SendTimeMissed';

  constructor() {
    super('The request missed its send time.');
  }
}

/** What a lane of a process knows of an endpoint with a rate limit. */
interface RateLimitState {
  readonly accountId: string;
  /** Claims that wait for their send times, at most. */
  maxWaiting: number;
  /** Claims that wait for their send times. */
  waiting: number;
  /** Attempts that have started. */
  running: number;
  /** Until then it is not worth asking, because all send times near enough are reserved. */
  refusedUntil: number;
  /** Whether the last claim took as much of the endpoint as there was room for. */
  backlogged: boolean;
  /** Whether the last claim had no room for the endpoint. */
  skipped: boolean;
  /** How long before the send time an attempt starts, for its connection. */
  leadMs: number;
}

/** Endpoints that are remembered, unless more of them have claims that wait or run. */
const maxRemembered = 200;

const initialLeadMs = 25;
const maxLeadMs = 500;

/**
 * The endpoints with a rate limit that a lane has claimed for, with the room that each has for more claims. The room is
 * small, so that the processes share the send times of an endpoint.
 */
class RateLimitedEndpoints {
  readonly #states = new Map<string, RateLimitState>();

  /** Whether no endpoint is known. */
  get isEmpty(): boolean {
    return this.#states.size === 0;
  }

  get(endpointId: string): RateLimitState | undefined {
    return this.#states.get(endpointId);
  }

  /** Grants each endpoint room for the next claim. @param freePlaces how many more claims can wait in the lane */
  grantRoom(now: number, freePlaces: number): RateLimitedEndpoint[] {
    return [...this.#states].map(([endpointId, state]) => {
      const { accountId, waiting, running, backlogged } = state;
      const room = Math.min(roomOf(state, now), freePlaces);
      state.skipped = room === 0;
      return { accountId, endpointId, waiting, running, room, backlogged };
    });
  }

  /** Notes which endpoints of a claim of `capacity` have a limit, and which may have more. */
  noteClaim(claims: readonly Claim[], capacity: Capacity): void {
    const counts = new Map<string, number>();

    for (const { endpointId, accountId, maxPerSecond } of claims) {
      counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
      if (maxPerSecond === null) this.#states.delete(endpointId);
      else this.#remember(endpointId, accountId, maxPerSecond);
    }

    const usedSlots = usedSlotsOf(capacity);

    for (const [endpointId, state] of this.#states) {
      const room = capacity.perEndpoint - (usedSlots.get(endpointId) ?? 0);
      const count = counts.get(endpointId) ?? 0;
      const wasReached = count > 0 || claims.length < capacity.slots;
      if (room > 0 && wasReached) state.backlogged = count >= room;
    }
  }

  /** Notes that no send time of an endpoint is near enough until `retryAt`. */
  noteRefusal(endpointId: string, retryAt: number): void {
    const state = this.#states.get(endpointId);
    if (!state) return;
    state.refusedUntil = Math.max(state.refusedUntil, retryAt);
    state.skipped = true;
  }

  /** Notes how long look-up, connect and TLS of an attempt took. */
  noteConnect(endpointId: string, tookMs: number): void {
    const state = this.#states.get(endpointId);
    if (state) state.leadMs = Math.min(maxLeadMs, Math.max(1.25 * tookMs, 0.9 * state.leadMs));
  }

  /** Whether an endpoint that may have more has room now. */
  mayClaimMore(now: number): boolean {
    return [...this.#states.values()].some((state) => mayHaveMore(state) && roomOf(state, now) > 0);
  }

  /** When to ask again for an endpoint that got no send time and may have more; Infinity if there is none. */
  nextRetryAt(now: number): number {
    const refused = [...this.#states.values()].filter(
      (state) => mayHaveMore(state) && state.refusedUntil > now,
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

    this.#states.set(endpointId, {
      accountId,
      maxWaiting,
      waiting: 0,
      running: 0,
      refusedUntil: -Infinity,
      backlogged: false,
      skipped: false,
      leadMs: initialLeadMs,
    });
  }
}

/** Room for more claims of an endpoint. A claim is worth its cost when half of the room is free. */
function roomOf({ maxWaiting, waiting, refusedUntil }: RateLimitState, now: number): number {
  if (refusedUntil > now || waiting > maxWaiting / 2) return 0;
  return maxWaiting - waiting;
}

/** Whether claims may have left ready deliveries of an endpoint. */
function mayHaveMore({ backlogged, skipped }: RateLimitState): boolean {
  return backlogged || skipped;
}

/** When one request may be sent to an endpoint with a rate limit, in milliseconds of the clock. */
interface SendTime {
  /** The earliest time to send. */
  readonly at: number;
  /** The latest time to send. */
  readonly until: number;
}

/** The send times of one endpoint. */
interface SendTimesOfEndpoint {
  readonly times: readonly SendTime[];
  /** When asking for more send times is worth it again. */
  readonly retryAt: number;
}

export interface SendTimesOptions {
  /** Reserves in PostgreSQL, at most `aheadMs` ahead. */
  readonly reserve: (
    wanted: readonly WantedSendTimes[],
    aheadMs: number,
  ) => Promise<readonly ReservedSendTimes[]>;
  readonly lane: Lane;
  readonly clock: Clock;
  /** At least 0, below 1; keeps processes out of step. */
  readonly random: () => number;
}

/**
 * How far ahead each lane reserves. A replay finds a time beyond those of all live deliveries. A
 * recovery finds none while the live ones of even one process wait.
 */
const aheadMs: Readonly<Record<Lane, number>> = {
  isolated: 1_250,
  replay: 1_250,
  live: 1_000,
  recovery: 100,
};

/**
 * A request is sent at most this late. A tenth of a second of lateness would be a burst of a tenth of
 * the rate. The other half is for what delays requests on their way.
 */
const maxLatenessMs = 50;

/** When to ask again for an endpoint that the answer does not name, because it was purged. */
const retryAfterMs = 1_000;

/**
 * Claims of one endpoint that wait for their send times in one lane, at most: those of 250 ms. Claims
 * are made when half of them are left, so live ones always cover what a recovery reserves ahead.
 */
function maxWaitingOf(perSecond: number): number {
  return Math.ceil(perSecond / 4);
}

/** Reserves send times, and converts them to the clock of this process. */
export class SendTimes {
  readonly #options: SendTimesOptions;
  readonly #clockConverter = new ClockConverter();

  constructor(options: SendTimesOptions) {
    this.#options = options;
  }

  /**
   * Reserves send times of endpoints.
   * @param wanted how many, by endpoint
   * @throws what the statement throws
   */
  async reserve(
    wanted: ReadonlyMap<string, number>,
  ): Promise<ReadonlyMap<string, SendTimesOfEndpoint>> {
    const { reserve, lane, clock } = this.#options;
    const ids = [...wanted.keys()].sort();
    const sentAt = clock.now();
    const reserved = await reserve(
      ids.map((endpointId) => ({ endpointId, count: wanted.get(endpointId) ?? 0 })),
      aheadMs[lane],
    );

    const answeredAt = clock.now();

    for (const { nowMs } of reserved) {
      this.#clockConverter.note({ databaseMs: nowMs, sentAt, answeredAt });
    }

    const answers = new Map(ids.map((id) => [id, this.#refusal(answeredAt)]));

    for (const reservation of reserved) {
      const { endpointId, count, firstMs, stepMs } = reservation;
      const times = Array.from({ length: count }, (_, index) => {
        const { earliest, latest } = this.#clockConverter.toProcessTime(firstMs + index * stepMs);
        return { at: latest, until: earliest + maxLatenessMs };
      });
      answers.set(endpointId, { times, retryAt: answeredAt + this.#retryMs(reservation) });
    }

    return answers;
  }

  #refusal(now: number): SendTimesOfEndpoint {
    return { times: [], retryAt: now + retryAfterMs };
  }

  /**
   * Milliseconds until it is worth asking for more: later than the next free send time, so that a claim gets several
   * and processes take turns.
   */
  #retryMs({ count, firstMs, stepMs, nowMs }: ReservedSendTimes): number {
    const { lane, random } = this.#options;
    const freeMs = Math.max(0, firstMs - nowMs + count * stepMs - aheadMs[lane]);
    const steps = stepMs === 0 ? 0 : maxWaitingOf(1_000 / stepMs);
    return freeMs + ((1 + random()) / 2) * Math.min(steps * stepMs, aheadMs[lane] / 2);
  }
}

/** The earliest and latest time on the process clock that a time of PostgreSQL's clock can be, in milliseconds. */
interface Bounds {
  readonly earliest: number;
  readonly latest: number;
}

/** An answer that has PostgreSQL's time; all times in milliseconds. */
interface DatabaseAnswer {
  /** PostgreSQL's time while the statement ran. */
  readonly databaseMs: number;
  /** Time of this process before the statement. */
  readonly sentAt: number;
  /** Time of this process after the statement. */
  readonly answeredAt: number;
}

/**
 * Converts times of PostgreSQL's clock to the clock of this process, as bounds. Each answer narrows them to its round
 * trip, however long that was. A request must never be sent early, so both bounds count here; DatabaseClock needs only
 * the middle.
 */
class ClockConverter {
  /** The bounds of PostgreSQL's time less the time of this process. */
  #least = -Infinity;
  #most = Infinity;
  #notedAt = 0;

  /** Narrows the bounds. */
  note({ databaseMs, sentAt, answeredAt }: DatabaseAnswer): void {
    const drifted = Math.max(0, answeredAt - this.#notedAt) * clockDrift;
    const least = Math.max(this.#least - drifted, databaseMs - answeredAt);
    const most = Math.min(this.#most + drifted, databaseMs - sentAt);
    // Bounds that contradict the answer mean that a clock was set, so they begin anew.
    const wasSet = least > most;
    this.#least = wasSet ? databaseMs - answeredAt : least;
    this.#most = wasSet ? databaseMs - sentAt : most;
    this.#notedAt = answeredAt;
  }

  /** Converts a time of PostgreSQL's clock, once an answer is noted. */
  toProcessTime(databaseMs: number): Bounds {
    return { earliest: databaseMs - this.#most, latest: databaseMs - this.#least };
  }
}
