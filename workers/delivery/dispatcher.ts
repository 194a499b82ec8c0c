// Decides when one lane claims. One claim runs at a time, for the free slots and for those that become free while it runs. The
// next begins as soon as slots are free and results are not piling up, or when a wake-up, a poll or a freed slot says that there
// is something to claim.
import { type Clock, delay, processClock } from '../clock.js';
import { DeliveryLane, type LaneSpacing, spacingOf, type LaneDependencies } from './lane.js';

/** Pause before the dispatcher checks again whether enough is recorded to claim. */
const recordWaitMs = 10;

/** While all other slots are taken, how often the dispatcher claims for accounts that hold none. */
const reservedPollMs = 50;

/** With this many free slots or more, the dispatcher claims without a pause. */
const minSlotsWithoutPause = 50;

/** Decides when one lane claims. */
export class Dispatcher {
  readonly #dependencies: LaneDependencies;
  readonly #stopping = new AbortController();
  readonly #clock: Clock;
  readonly #lane: DeliveryLane;
  readonly #spacing: LaneSpacing;
  #paused = false;
  #resumed = Promise.resolve(0);
  #endPause: (() => void) | undefined;
  #pollRequested = false;
  #polls = 0;
  #polling: Promise<number> | undefined;
  #cancelPollTimer: (() => void) | undefined;

  constructor(parts: LaneDependencies) {
    this.#dependencies = parts;
    this.#clock = parts.clock ?? processClock;
    this.#spacing = spacingOf(parts.lane);
    this.#lane = new DeliveryLane(parts, () => this.#pollSoon());
  }

  /** Number of calls of {@link poll}. */
  get polls(): number {
    return this.#polls;
  }

  /** Free slots. */
  get free(): number {
    return this.#dependencies.limiter.free;
  }

  /**
   * Claims ready pending deliveries until none is left for the free slots. The first claim begins after
   * this call. Never throws.
   *
   * It waits while the lane is full or paused. Other processes hear the same signals meanwhile.
   * @returns the number of pending deliveries claimed by this poll and the polls it joined
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
   * Stops claiming until {@link resume}, releases buffered claims and waits for the attempts in flight.
   * Polls requested meanwhile run after {@link resume}.
   */
  async pause(): Promise<void> {
    if (!this.#paused)
      this.#resumed = new Promise((resolve) => (this.#endPause = () => resolve(0)));
    this.#paused = true;
    // First: otherwise buffered claims start as soon as the running poll stops waiting for a slot.
    await this.#lane.close();
    await this.#polling;
    await this.#dependencies.limiter.idle();
  }

  /** Claims again after {@link pause}. @returns as {@link poll} */
  resume(): Promise<number> {
    this.#paused = false;
    if (!this.#stopping.signal.aborted) this.#lane.open();
    this.#endPause?.();
    return this.poll();
  }

  /**
   * Stops claiming, releases buffered claims and waits for the attempts in flight. After `limitMs`
   * milliseconds it aborts them and releases their claims too.
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
    const { limiter, lane, log } = this.#dependencies;
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

        // More may be ready than this claim could take.
        this.#pollRequested = true;

        if (slots <= 0) await delay(this.#clock, recordWaitMs, signal);
        else if (sizer.size < minSlotsWithoutPause)
          await delay(this.#clock, this.#spacing.claimMs, signal);
      }
    } catch (error) {
      log.claimFailed(error, lane);
    } finally {
      // In the event-loop turn of the last read of `pollRequested`, so that a later poll() starts a new loop.
      this.#polling = undefined;
    }

    return claimed;
  }

  /** Claims for accounts that hold no slot: they do not wait until another account frees one. */
  async #claimReserved(): Promise<number> {
    const slots = this.#lane.mayClaim() ? this.#lane.sizer.reservedSize : 0;
    if (slots <= 0) return 0;
    return this.#lane.claim(this.#dependencies.limiter.reservedCapacityFor(slots));
  }

  #pollSoon(): void {
    if (this.#stopping.signal.aborted) return;
    this.#cancelPollTimer ??= this.#clock.after(this.#spacing.claimMs, () => {
      this.#cancelPollTimer = undefined;
      void this.poll();
    });
  }
}
