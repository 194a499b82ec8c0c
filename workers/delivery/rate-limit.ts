// Endpoints with a rate limit: their claims wait here, without slots, until shortly before their send times.
//
// PostgreSQL holds the next send time of each limited endpoint (endpoint_rate); SendTimes reserves times from it for all claims of an
// endpoint at once. The request then waits with its connection open for its exact time (send gate). A request that is 50 ms late
// reserves another time, so no pause of a process ever sends a bunch. ClockBounds knows PostgreSQL's clock within the shortest
// round trip, and never sends early.
//
// A crash loses reserved times: the endpoint gets less than its limit for a moment, never more.
import type {
  Capacity,
  Claim,
  RateLimitedEndpoint,
  Lane,
} from '../../src/domain/delivery/claim.js';
import { type Clock, delay } from '../clock.js';
import type { BufferedClaim } from './claim-buffer.js';
import {
  inFlightOf,
  type ReservedSendTimes,
  type WantedSendTimes,
} from '../../src/domain/delivery/send-times.js';

interface RateLimitedClaimsOptions {
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

/** What a lane of a process knows of an endpoint with a rate limit. */
interface RateLimitState {
  readonly accountId: string;
  maxWaiting: number;
  /** Claims that wait for their send times. */
  waiting: number;
  /** Attempts that have started. */
  running: number;
  /** Send times near enough are all reserved until then. */
  refusedUntil: number;
  /** Its last claim took as much as it was allowed. */
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
 * claims. The room is small, so that processes share its send times.
 */
class RateLimitedEndpoints {
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

/** The request could not be sent at any send time that was near enough. It was not sent. */
export class SendTimeMissed extends Error {
  override readonly name = 'SendTimeMissed';

  constructor() {
    super('The request missed its send time.');
  }
}

interface SendGateOptions {
  readonly times: Pick<SendTimes, 'reserve'>;
  readonly clock: Clock;
  readonly endpointId: string;
  /** Undefined to reserve one when the connection is open. */
  readonly time: SendTime | undefined;
  /**
   * The gate closes then, in milliseconds of the clock: the lease must outlast the attempt. The time
   * that connecting took comes on top, because it counts towards the timeout of the attempt.
   */
  readonly closesAt: number;
  /** Called with how long look-up, connect and TLS took. */
  readonly onReady: (tookMs: number) => void;
  /** Called when the endpoint has no send time near enough, with the time to ask again. */
  readonly onRefused: (retryAt: number) => void;
}

/**
 * Makes the gate of one request, which opens at its send time. A request that comes too late gets
 * another send time, on the connection it has: a process that hung must not send a bunch, and a
 * receiver to which connecting takes long must get its requests.
 */
function createSendGate(options: SendGateOptions): () => Promise<void> {
  const { times, clock, endpointId, onReady, onRefused } = options;
  const startedAt = clock.now();
  let { time, closesAt } = options;
  let ready = false;
  return async () => {
    if (!ready) {
      const tookMs = clock.now() - startedAt;
      onReady(tookMs);
      closesAt += tookMs;
    }

    ready = true;

    for (;;) {
      const now = clock.now();
      if (time && time.at <= now && now <= time.until) return;

      if (!time || now > time.until) {
        if (now > closesAt) throw new SendTimeMissed();
        const answer = (await times.reserve(new Map([[endpointId, 1]]))).get(endpointId);
        [time] = answer?.times ?? [];
        if (!time) {
          if (answer) onRefused(answer.retryAt);
          throw new SendTimeMissed();
        }
      } else {
        if (time.at > closesAt) throw new SendTimeMissed();
        await delay(clock, Math.ceil(time.at - now));
      }
    }
  };
}

/** When one request may be sent to an endpoint with a rate limit, in milliseconds of the clock. */
interface SendTime {
  /** The earliest time to send. */
  readonly at: number;
  /** Not after. */
  readonly until: number;
}

/** The send times of one endpoint. */
interface SendTimesOfEndpoint {
  readonly times: readonly SendTime[];
  /** When it is worth asking for more. */
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

/** For an endpoint that was purged, or when PostgreSQL does not answer. */
const retryAfterMs = 1_000;

/**
 * Claims of one endpoint that wait for their send times in one lane, at most: those of 250 ms. Claims
 * are made when half of them are left, so live ones always cover what a recovery reserves ahead.
 */
function maxWaitingOf(perSecond: number): number {
  return Math.ceil(perSecond / 4);
}

/** Reserves send times, and tells them in the time of this process. */
export class SendTimes {
  readonly #options: SendTimesOptions;
  readonly #bounds = new ClockBounds();

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

    for (const { nowMs } of reserved) this.#bounds.note(nowMs, sentAt, answeredAt);

    const answers = new Map(ids.map((id) => [id, this.#refusal(answeredAt)]));

    for (const each of reserved) {
      const { endpointId, count, firstMs, stepMs } = each;
      const times = Array.from({ length: count }, (_, index) => {
        const { earliest, latest } = this.#bounds.of(firstMs + index * stepMs);
        return { at: latest, until: earliest + maxLatenessMs };
      });
      answers.set(endpointId, { times, retryAt: answeredAt + this.#retryMs(each) });
    }

    return answers;
  }

  #refusal(now: number): SendTimesOfEndpoint {
    return { times: [], retryAt: now + retryAfterMs };
  }

  /** Later than the first that is free, so that a claim then gets several and processes take turns. */
  #retryMs({ count, firstMs, stepMs, nowMs }: ReservedSendTimes): number {
    const { lane, random } = this.#options;
    const freeMs = Math.max(0, firstMs - nowMs + count * stepMs - aheadMs[lane]);
    const steps = stepMs === 0 ? 0 : maxWaitingOf(1_000 / stepMs);
    return freeMs + ((1 + random()) / 2) * Math.min(steps * stepMs, aheadMs[lane] / 2);
  }
}

/** How fast two clocks may drift apart: 100 ppm. */
const drift = 1e-4;

/** When an instant of PostgreSQL's clock is, in milliseconds of the process clock. */
interface Bounds {
  readonly earliest: number;
  readonly latest: number;
}

/**
 * The difference between PostgreSQL's clock and that of this process, as bounds. Each answer that has
 * PostgreSQL's time narrows them to its round trip, however long that was.
 */
class ClockBounds {
  /** PostgreSQL's time less the time of this process: at least, and at most. */
  #least = -Infinity;
  #most = Infinity;
  #notedAt = 0;

  /**
   * Notes an answer.
   * @param databaseMs PostgreSQL's time while the statement ran
   * @param sentAt time of this process before the statement
   * @param answeredAt time of this process after it
   */
  note(databaseMs: number, sentAt: number, answeredAt: number): void {
    const drifted = Math.max(0, answeredAt - this.#notedAt) * drift;
    const least = Math.max(this.#least - drifted, databaseMs - answeredAt);
    const most = Math.min(this.#most + drifted, databaseMs - sentAt);
    // What was known contradicts the answer: a clock was set.
    const wasSet = least > most;
    this.#least = wasSet ? databaseMs - answeredAt : least;
    this.#most = wasSet ? databaseMs - sentAt : most;
    this.#notedAt = answeredAt;
  }

  /** Converts an instant of PostgreSQL's clock, once an answer is noted. */
  of(databaseMs: number): Bounds {
    return { earliest: databaseMs - this.#most, latest: databaseMs - this.#least };
  }
}
