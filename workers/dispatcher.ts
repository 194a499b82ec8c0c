import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { EndedAttempt } from '../src/domain/delivery/attempt.js';
import type { Claim, Room } from '../src/domain/delivery/claim.js';
import type { Limits } from './limits.js';

/** What a {@link Dispatcher} works with. */
export interface DispatcherOptions {
  readonly limits: Limits;
  readonly claim: (room: Room) => Promise<Claim[]>;
  /**
   * Makes one attempt; `elapsedMs` have passed since the claim came back.
   * @throws Error when `signal` aborts, or by a fault of ours
   */
  readonly attempt: (claim: Claim, elapsedMs: number, signal: AbortSignal) => Promise<EndedAttempt>;
  /** Takes over what has ended; `claimedAt` as `performance.now()` counts. */
  readonly onEnded: (ended: EndedAttempt, claimedAt: number) => void;
  /** Attempts that have ended and are not recorded yet. */
  readonly unsettled: () => number;
  /** Gives claims back that were not attempted. */
  readonly release: (claims: readonly Claim[]) => Promise<void>;
  /** Claiming or releasing failed, or an attempt of `claim` did; leases and sweeps repair it. */
  readonly onFault: (error: unknown, claim?: Claim) => void;
}

/** Between two claims of a busy process, so that one claim serves several freed slots. */
const gatherMs = 5;

/** Claiming waits while this many times the slots are not recorded. */
const unsettledPerSlot = 4;

/**
 * Sends what is due in one lane: claims as many chains as there are free slots, starts each at once,
 * and claims again as long as claims fill the slots or an endpoint that was full has room. One
 * claim at a time; attempts never wait for one another.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #stopping = new AbortController();
  readonly #breaking = new AbortController();
  readonly #brokenOff: Claim[] = [];
  #asked = false;
  #looks = 0;
  #looking: Promise<number> | undefined;
  #soon: NodeJS.Timeout | undefined;

  constructor(options: DispatcherOptions) {
    this.#options = options;
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
   * While the process is full it waits, so whoever holds a wake-up meanwhile leaves further ones to
   * other processes. Never throws.
   * @returns how many were claimed by this look and those it joined
   */
  look(): Promise<number> {
    if (this.#stopping.signal.aborted) return Promise.resolve(0);
    this.#asked = true;
    this.#looks += 1;
    this.#looking ??= this.#look();
    return this.#looking;
  }

  /**
   * Claims no more, gives back what was claimed and not started, and waits for the attempts in
   * flight; after `limitMs` it breaks them off and gives those back too.
   */
  async stop(limitMs: number): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#soon);
    await this.#looking;
    const limit = setTimeout(() => this.#breaking.abort(new Error('stopping')), limitMs);
    await this.#options.limits.idle();
    clearTimeout(limit);
    await this.#release(this.#brokenOff.splice(0));
  }

  async #look(): Promise<number> {
    const { limits } = this.#options;
    const { signal } = this.#stopping;
    let claimed = 0;
    try {
      while (this.#asked && !signal.aborted) {
        await limits.room(signal);
        const slots = this.#room();
        const count = slots > 0 ? await this.#claimAndStart(slots) : 0;
        claimed += count;
        if (count < slots) continue;
        // There may be more than fitted.
        this.#asked = true;
        await pause(gatherMs);
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
    return Math.min(limits.free, limits.slots * unsettledPerSlot - unsettled());
  }

  async #claimAndStart(slots: number): Promise<number> {
    const { limits, claim } = this.#options;
    const { perEndpoint, inFlight } = limits;
    this.#asked = false;
    const claims = await claim({ slots, perEndpoint, inFlight });
    const claimedAt = performance.now();
    if (this.#stopping.signal.aborted) await this.#release(claims);
    else for (const each of claims) void this.#attempt(each, claimedAt);
    return claims.length;
  }

  async #attempt(claim: Claim, claimedAt: number): Promise<void> {
    const { limits, attempt, onEnded, onFault } = this.#options;
    const { signal } = this.#breaking;
    limits.take(claim.endpointId);
    try {
      onEnded(await attempt(claim, performance.now() - claimedAt, signal), claimedAt);
    } catch (error) {
      if (signal.aborted) this.#brokenOff.push(claim);
      else onFault(error, claim);
    } finally {
      if (limits.give(claim.endpointId)) this.#lookSoon();
    }
  }

  #lookSoon(): void {
    if (this.#stopping.signal.aborted) return;
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      void this.look();
    }, gatherMs);
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
