import { type Clock, delay, processClock } from '../process/clock.js';
import { DeliveryLane, type LaneParts } from './delivery-lane.js';

/** Between two claims of a busy process, so that one claim serves several freed slots. */
const batchWindowMs = 1;

/** Between two looks at whether enough was recorded to claim again. */
const recordWaitMs = 10;

/** A process whose slots are all taken looks so often for accounts that hold none. */
const reservedPollMs = 50;

/** From so many on, room is worth a claim without gathering. */
const worthClaiming = 50;

/**
 * Sends what is due in one lane: claims as many pending deliveries as there are free slots, and as many more as
 * will be free by the time the claim is back, starts each when it has a slot, and claims again as
 * long as claims fill the slots or an endpoint that was full has room. One claim at a time; attempts
 * never wait for one another.
 */
export class Dispatcher {
  readonly #parts: LaneParts;
  readonly #stopping = new AbortController();
  readonly #clock: Clock;
  readonly #lane: DeliveryLane;
  #paused = false;
  #resumed = Promise.resolve(0);
  #endPause: (() => void) | undefined;
  #pollRequested = false;
  #polls = 0;
  #polling: Promise<number> | undefined;
  #cancelPollTimer: (() => void) | undefined;

  constructor(parts: LaneParts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? processClock;
    this.#lane = new DeliveryLane(parts, () => this.#pollSoon());
  }

  /** How often somebody has asked it to look. */
  get polls(): number {
    return this.#polls;
  }

  /** Slots that are free. */
  get free(): number {
    return this.#parts.limiter.free;
  }

  /**
   * Looks for ready pending deliveries, beginning after this call, until none is left that there is room for.
   * While the process is full or held it waits, so whoever holds a wake-up meanwhile leaves further ones
   * to other processes. Never throws.
   * @returns how many were claimed by this look and those it joined
   */
  poll(): Promise<number> {
    if (this.#stopping.signal.aborted) return Promise.resolve(0);
    this.#pollRequested = true;
    this.#polls += 1;
    if (this.#paused) return this.#resumed;
    this.#polling ??= this.#poll();
    return this.#polling;
  }

  /**
   * Claims no more until {@link resume}, gives back what was claimed and not started, and waits for
   * the attempts in flight. Looks that are asked for meanwhile are made then.
   */
  async pause(): Promise<void> {
    if (!this.#paused)
      this.#resumed = new Promise((resolve) => (this.#endPause = () => resolve(0)));
    this.#paused = true;
    // First, or each of them would start as soon as the look that waits for a slot lets go.
    await this.#lane.close();
    await this.#polling;
    await this.#parts.limiter.idle();
  }

  /** Goes on after {@link pause}. */
  resume(): Promise<number> {
    this.#paused = false;
    if (!this.#stopping.signal.aborted) this.#lane.open();
    this.#endPause?.();
    return this.poll();
  }

  /**
   * Claims no more, gives back what was claimed and not started, and waits for the attempts in
   * flight; after `limitMs` it breaks them off and gives those back too.
   */
  async stop(limitMs: number): Promise<void> {
    this.#stopping.abort();
    this.#cancelPollTimer?.();
    this.#endPause?.();
    // First, as in pause.
    await this.#lane.close();
    await this.#polling;
    await this.#lane.drain(limitMs);
  }

  async #poll(): Promise<number> {
    const { limiter, lane, log } = this.#parts;
    const { signal } = this.#stopping;
    const { sizer } = this.#lane;
    let claimed = 0;
    try {
      while (this.#pollRequested && this.#lane.mayClaim()) {
        const limitMs = limiter.reserved > 0 ? reservedPollMs : undefined;
        if (!(await limiter.waitForCapacity(signal, sizer.prefetch, limitMs))) {
          claimed += await this.#claimReserved();
          continue;
        }
        const slots = this.#lane.mayClaim() ? sizer.size : 0;
        this.#pollRequested = false;
        const count = slots > 0 ? await this.#lane.claim(limiter.capacityFor(slots)) : 0;
        claimed += count;
        if (count < slots && !limiter.mayHaveSkipped) continue;
        // There may be more than fitted.
        this.#pollRequested = true;
        if (slots <= 0) await delay(this.#clock, recordWaitMs, signal);
        else if (sizer.size < worthClaiming) await delay(this.#clock, batchWindowMs, signal);
      }
    } catch (error) {
      log.claimFailed(error, lane);
    } finally {
      // In the same turn as the last read of `pollRequested`, so that a later one begins another loop.
      this.#polling = undefined;
    }
    return claimed;
  }

  /** Accounts that hold no slot do not wait for one that another holds. */
  async #claimReserved(): Promise<number> {
    const slots = this.#lane.mayClaim() ? this.#lane.sizer.reservedSize : 0;
    if (slots <= 0) return 0;
    return this.#lane.claim(this.#parts.limiter.reservedCapacityFor(slots));
  }

  #pollSoon(): void {
    if (this.#stopping.signal.aborted) return;
    this.#cancelPollTimer ??= this.#clock.after(batchWindowMs, () => {
      this.#cancelPollTimer = undefined;
      void this.poll();
    });
  }
}
