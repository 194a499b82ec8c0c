import { setMaxListeners } from 'node:events';
import type { EndedAttempt } from '../src/domain/delivery/attempt.js';
import type { Claim, Room } from '../src/domain/delivery/claim.js';
import { isAnswer } from '../src/domain/delivery/outcome.js';
import { type Clock, pause, processClock } from './clock.js';
import type { Heard, Limits } from './limits.js';
import { Pace } from './pace.js';

/** What a {@link Dispatcher} works with. */
export interface DispatcherOptions {
  readonly limits: Limits;
  readonly claim: (room: Room) => Promise<Claim[]>;
  /** Claims that took longer to come back are given back: their leases have run meanwhile. */
  readonly latestClaimMs: number;
  /** Claims that have waited longer for a slot are given back: others may have one. */
  readonly latestStartMs: number;
  /**
   * Makes one attempt; `elapsedMs` have passed since the claim came back.
   * @throws Error when `signal` aborts, or by a fault of ours
   */
  readonly attempt: (claim: Claim, elapsedMs: number, signal: AbortSignal) => Promise<EndedAttempt>;
  /** Takes over what has ended; `claimedAt` as the clock counts. */
  readonly onEnded: (ended: EndedAttempt, claimedAt: number) => void;
  /** Attempts that have ended and are not recorded yet. */
  readonly unsettled: () => number;
  /** Whether chains are claimed that wait for a slot; true unless it is said. */
  readonly ahead?: boolean;
  /** Gives claims back that were not attempted. */
  readonly release: (claims: readonly Claim[]) => Promise<void>;
  /** Claiming or releasing failed, or an attempt of `claim` did; leases and sweeps repair it. */
  readonly onFault: (error: unknown, claim?: Claim) => void;
  /** That of the process unless it is said. */
  readonly clock?: Clock;
}

/** Between two claims of a busy process, so that one claim serves several freed slots. */
const gatherMs = 1;

/** Between two looks at whether enough was recorded to claim again. */
const recordMs = 10;

/** A claim that takes longer than this is a fault somewhere, not a reason to claim more. */
const longestClaimMs = 100;

/** Claims last for this long after they are back, lest the slots wait for the next one. */
const reserveMs = 20;

/** From so many on, room is worth a claim without gathering, and claims are worth a turn of their own. */
const many = 50;

/** How many claims may wait for each slot. */
const waitingPerSlot = 2;

/** One claim brings so many at most: every one of them may be 256 KiB. */
const mostAtOnce = 200;

/** Claiming waits while this many times the slots are not recorded. */
const unsettledPerSlot = 4;

/**
 * Sends what is due in one lane: claims as many chains as there are free slots, and as many more as
 * will be free by the time the claim is back, starts each when it has a slot, and claims again as
 * long as claims fill the slots or an endpoint that was full has room. One claim at a time; attempts
 * never wait for one another.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #stopping = new AbortController();
  readonly #breaking = new AbortController();
  readonly #brokenOff: Claim[] = [];
  readonly #clock: Clock;
  readonly #pace: Pace;
  readonly #waiting: { readonly claim: Claim; readonly claimedAt: number }[] = [];
  #running = 0;
  #held = false;
  #resumed = Promise.resolve(0);
  #letGo: (() => void) | undefined;
  #claimMs = gatherMs;
  #asked = false;
  #looks = 0;
  #looking: Promise<number> | undefined;
  #callOffSoon: (() => void) | undefined;
  #callOffLate: (() => void) | undefined;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#clock = options.clock ?? processClock;
    this.#pace = new Pace(() => this.#clock.now());
    // Every attempt in flight listens to it.
    setMaxListeners(0, this.#breaking.signal);
  }

  /** How often somebody has asked it to look. */
  get looks(): number {
    return this.#looks;
  }

  /** Slots that are free. */
  get free(): number {
    return this.#options.limits.free;
  }

  /**
   * Looks for ready chains, beginning after this call, until none is left that there is room for.
   * While the process is full or held it waits, so whoever holds a wake-up meanwhile leaves further ones
   * to other processes. Never throws.
   * @returns how many were claimed by this look and those it joined
   */
  look(): Promise<number> {
    if (this.#stopping.signal.aborted) return Promise.resolve(0);
    this.#asked = true;
    this.#looks += 1;
    if (this.#held) return this.#resumed;
    this.#looking ??= this.#look();
    return this.#looking;
  }

  /**
   * Claims no more until {@link resume}, gives back what was claimed and not started, and waits for
   * the attempts in flight. Looks that are asked for meanwhile are made then.
   */
  async hold(): Promise<void> {
    if (!this.#held) this.#resumed = new Promise((resolve) => (this.#letGo = () => resolve(0)));
    this.#held = true;
    // First, or each of them would start as soon as the look that waits for a slot lets go.
    await this.#giveBackWaiting();
    await this.#looking;
    await this.#options.limits.idle();
  }

  /** Goes on after {@link hold}. */
  resume(): Promise<number> {
    this.#held = false;
    this.#letGo?.();
    return this.look();
  }

  /**
   * Claims no more, gives back what was claimed and not started, and waits for the attempts in
   * flight; after `limitMs` it breaks them off and gives those back too.
   */
  async stop(limitMs: number): Promise<void> {
    this.#stopping.abort();
    this.#callOffSoon?.();
    this.#callOffLate?.();
    this.#letGo?.();
    // First, as in hold.
    await this.#giveBackWaiting();
    await this.#looking;
    const breakOff = () => this.#breaking.abort(new Error('stopping'));
    const callOffLimit = this.#clock.after(limitMs, breakOff);
    await this.#options.limits.idle();
    callOffLimit();
    await this.#release(this.#brokenOff.splice(0));
  }

  /** Whether it may claim. */
  #mayClaim(): boolean {
    return !this.#held && !this.#stopping.signal.aborted;
  }

  async #look(): Promise<number> {
    const { limits } = this.#options;
    const { signal } = this.#stopping;
    let claimed = 0;
    try {
      while (this.#asked && this.#mayClaim()) {
        await limits.room(signal, this.#ahead());
        const slots = this.#mayClaim() ? this.#room() : 0;
        const count = slots > 0 ? await this.#claimAndStart(slots) : 0;
        claimed += count;
        if (count < slots) continue;
        // There may be more than fitted.
        this.#asked = true;
        if (slots <= 0) await pause(this.#clock, recordMs, signal);
        else if (this.#room() < many) await pause(this.#clock, gatherMs, signal);
      }
    } catch (error) {
      this.#options.onFault(error);
    } finally {
      // In the same turn as the last look at `asked`, so that a later one begins another loop.
      this.#looking = undefined;
    }
    return claimed;
  }

  #room(): number {
    const { limits, unsettled } = this.#options;
    const free = limits.free + this.#ahead();
    return Math.min(free, limits.slots * unsettledPerSlot - unsettled(), mostAtOnce);
  }

  /** Slots that will have become free before a claim is back that is made after this one. */
  #ahead(): number {
    if (this.#options.ahead === false) return 0;
    const expected = this.#pace.within(2 * this.#claimMs + reserveMs);
    return Math.min(expected, waitingPerSlot * this.#options.limits.slots);
  }

  async #claimAndStart(slots: number): Promise<number> {
    const { limits, claim, latestClaimMs } = this.#options;
    const { perEndpoint, inFlight } = limits;
    this.#asked = false;
    const begunAt = this.#clock.now();
    const claims = await claim({ slots, perEndpoint, inFlight });
    const claimedAt = this.#clock.now();
    const tookMs = claimedAt - begunAt;
    this.#claimMs = Math.min((this.#claimMs + tookMs) / 2, longestClaimMs);
    if (!this.#mayClaim() || tookMs > latestClaimMs) await this.#release(claims);
    else this.#keep(claims, claimedAt);
    return claims.length;
  }

  /**
   * Keeps claims until slots are free; those of their endpoints are held from now on. Many start a
   * turn later, because signing and sending them would hold up the next claim.
   */
  #keep(claims: readonly Claim[], claimedAt: number): void {
    for (const claim of claims) {
      this.#options.limits.take(claim.endpointId);
      this.#waiting.push({ claim, claimedAt });
    }
    if (claims.length >= many) this.#clock.after(0, () => this.#start());
    else this.#start();
    this.#watchWaiting();
  }

  /** Gives back what has waited for too long while no slot became free. */
  #watchWaiting(): void {
    const [first] = this.#waiting;
    if (!first || this.#callOffLate) return;
    const { latestStartMs } = this.#options;
    const leftMs = first.claimedAt + latestStartMs - this.#clock.now();
    this.#callOffLate = this.#clock.after(Math.max(1, leftMs), () => {
      this.#callOffLate = undefined;
      const latest = this.#clock.now() - latestStartMs;
      const late = this.#waiting.findIndex(({ claimedAt }) => claimedAt > latest);
      void this.#giveBackWaiting(late < 0 ? this.#waiting.length : late);
      this.#watchWaiting();
    });
  }

  /** Starts what waits for a slot. */
  #start(): void {
    while (this.#running < this.#options.limits.slots) {
      const next = this.#waiting.shift();
      if (!next) return;
      void this.#attempt(next.claim, next.claimedAt);
    }
  }

  async #attempt(claim: Claim, claimedAt: number): Promise<void> {
    const { limits, latestStartMs, attempt, onEnded, onFault } = this.#options;
    const { signal } = this.#breaking;
    const heldMs = this.#clock.now() - claimedAt;
    let heard: Heard = 'unasked';
    this.#running += 1;
    try {
      if (heldMs > latestStartMs) {
        await this.#release([claim]);
        return;
      }
      limits.asked(claim.endpointId);
      heard = 'fault';
      const ended = await attempt(claim, heldMs, signal);
      heard = isAnswer(ended.outcome) ? 'answered' : 'silent';
      onEnded(ended, claimedAt);
    } catch (error) {
      if (signal.aborted) this.#brokenOff.push(claim);
      else onFault(error, claim);
    } finally {
      this.#running -= 1;
      this.#pace.note();
      this.#start();
      if (limits.give(claim.endpointId, heard)) this.#lookSoon();
    }
  }

  /** Gives back the first `count` that wait for a slot. */
  async #giveBackWaiting(count = this.#waiting.length): Promise<void> {
    const unsent = this.#waiting.splice(0, count).map(({ claim }) => claim);
    for (const { endpointId } of unsent) this.#options.limits.give(endpointId, 'unasked');
    await this.#release(unsent);
  }

  #lookSoon(): void {
    if (this.#stopping.signal.aborted) return;
    this.#callOffSoon ??= this.#clock.after(gatherMs, () => {
      this.#callOffSoon = undefined;
      void this.look();
    });
  }

  async #release(claims: readonly Claim[]): Promise<void> {
    if (claims.length === 0) return;
    try {
      await this.#options.release(claims);
    } catch (error) {
      this.#options.onFault(error);
    }
  }
}
