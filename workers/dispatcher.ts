import type { Claim, Room } from '../src/domain/delivery/claim.js';
import { Appetite, type AppetiteOptions } from './appetite.js';
import { type Clock, pause, processClock } from './clock.js';
import { InFlight, type InFlightOptions } from './in-flight.js';

/** What a {@link Dispatcher} works with; `onFault` hears of claims that failed too. */
export interface DispatcherOptions extends AppetiteOptions, InFlightOptions {
  readonly claim: (room: Room) => Promise<Claim[]>;
  /** Claims that took longer to come back are given back: their leases have run meanwhile. */
  readonly latestClaimMs: number;
}

/** Between two claims of a busy process, so that one claim serves several freed slots. */
const gatherMs = 1;

/** Between two looks at whether enough was recorded to claim again. */
const recordMs = 10;

/** A process whose slots are all taken looks so often for accounts that hold none. */
const othersMs = 50;

/** From so many on, room is worth a claim without gathering. */
const worthAClaim = 50;

/**
 * Sends what is due in one lane: claims as many chains as there are free slots, and as many more as
 * will be free by the time the claim is back, starts each when it has a slot, and claims again as
 * long as claims fill the slots or an endpoint that was full has room. One claim at a time; attempts
 * never wait for one another.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #stopping = new AbortController();
  readonly #clock: Clock;
  readonly #appetite: Appetite;
  readonly #inFlight: InFlight;
  #held = false;
  #resumed = Promise.resolve(0);
  #letGo: (() => void) | undefined;
  #asked = false;
  #looks = 0;
  #looking: Promise<number> | undefined;
  #callOffSoon: (() => void) | undefined;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#clock = options.clock ?? processClock;
    this.#appetite = new Appetite(options);
    this.#inFlight = new InFlight(options, (hadNone) => {
      this.#appetite.ended();
      if (hadNone) this.#lookSoon();
    });
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
    await this.#inFlight.giveBackWaiting();
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
    this.#letGo?.();
    // First, as in hold.
    await this.#inFlight.giveBackWaiting();
    await this.#looking;
    await this.#inFlight.end(limitMs);
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
        const limitMs = limits.kept > 0 ? othersMs : undefined;
        if (!(await limits.room(signal, this.#appetite.ahead, limitMs))) {
          claimed += await this.#claimForOthers();
          continue;
        }
        const slots = this.#mayClaim() ? this.#appetite.room : 0;
        this.#asked = false;
        const count = slots > 0 ? await this.#claimAndStart(limits.roomFor(slots)) : 0;
        claimed += count;
        if (count < slots && !limits.passedOver) continue;
        // There may be more than fitted.
        this.#asked = true;
        if (slots <= 0) await pause(this.#clock, recordMs, signal);
        else if (this.#appetite.room < worthAClaim) await pause(this.#clock, gatherMs, signal);
      }
    } catch (error) {
      this.#options.onFault(error);
    } finally {
      // In the same turn as the last look at `asked`, so that a later one begins another loop.
      this.#looking = undefined;
    }
    return claimed;
  }

  /** Accounts that hold no slot do not wait for one that another holds. */
  async #claimForOthers(): Promise<number> {
    const slots = this.#mayClaim() ? this.#appetite.roomForOthers : 0;
    if (slots <= 0) return 0;
    return this.#claimAndStart(this.#options.limits.roomForOthers(slots));
  }

  async #claimAndStart(room: Room): Promise<number> {
    const { claim, latestClaimMs } = this.#options;
    const begunAt = this.#clock.now();
    const claims = await claim(room).catch((error: unknown) => {
      this.#appetite.overate();
      throw error;
    });
    const claimedAt = this.#clock.now();
    const tookMs = claimedAt - begunAt;
    const late = tookMs > latestClaimMs;
    if (late) this.#appetite.overate();
    else this.#appetite.claimed(tookMs, claims);
    if (late || !this.#mayClaim()) await this.#inFlight.release(claims);
    else this.#inFlight.keep(claims, room, claimedAt);
    return claims.length;
  }

  #lookSoon(): void {
    if (this.#stopping.signal.aborted) return;
    this.#callOffSoon ??= this.#clock.after(gatherMs, () => {
      this.#callOffSoon = undefined;
      void this.look();
    });
  }
}
