import { setMaxListeners } from 'node:events';
import type { EndedAttempt } from '../src/domain/delivery/attempt.js';
import type { Claim, Room } from '../src/domain/delivery/claim.js';
import { isAnswer } from '../src/domain/delivery/outcome.js';
import { type Clock, processClock } from './clock.js';
import type { Heard } from './endpoint-shares.js';
import type { Limits } from './limits.js';
import { Reserve } from './reserve.js';

/** What {@link InFlight} works with. */
export interface InFlightOptions {
  readonly limits: Limits;
  /** Claims that have waited longer for a slot are given back: others may have one. */
  readonly latestStartMs: number;
  /**
   * Makes one attempt; `elapsedMs` have passed since the claim came back.
   * @throws Error when `signal` aborts, or by a fault of ours
   */
  readonly attempt: (claim: Claim, elapsedMs: number, signal: AbortSignal) => Promise<EndedAttempt>;
  /** Takes over what has ended; `claimedAt` as the clock counts. */
  readonly onEnded: (ended: EndedAttempt, claimedAt: number) => void;
  /** Gives claims back that were not attempted. */
  readonly release: (claims: readonly Claim[]) => Promise<void>;
  /** Releasing failed, or an attempt of `claim` did; leases and sweeps repair it. */
  readonly onFault: (error: unknown, claim?: Claim) => void;
  /** That of the process unless it is said. */
  readonly clock?: Clock;
}

/** Starting so many at once would hold up whatever comes next: they get a turn of their own. */
const worthATurn = 50;

/**
 * The claims of one lane of a process from the moment they come back: each waits for a slot, is
 * attempted, and is handed over, or is given back. Attempts never wait for one another.
 */
export class InFlight {
  readonly #options: InFlightOptions;
  readonly #clock: Clock;
  readonly #reserve: Reserve;
  readonly #breaking = new AbortController();
  readonly #brokenOff: Claim[] = [];
  readonly #onSlot: (hadNone: boolean) => void;

  /**
   * @param onSlot hears of each attempt that has ended, and whether its endpoint had no slot left, so
   *   that claims may have passed it over
   */
  constructor(options: InFlightOptions, onSlot: (hadNone: boolean) => void) {
    const { clock = processClock, latestStartMs } = options;
    this.#options = options;
    this.#clock = clock;
    this.#onSlot = onSlot;
    const onLate = (claims: readonly Claim[]) => void this.#giveBack(claims);
    this.#reserve = new Reserve({ clock, latestStartMs, onLate });
    // Every attempt in flight listens to it.
    setMaxListeners(0, this.#breaking.signal);
  }

  /** Keeps what a claim with `room` brought until slots are free, which are held from now on. */
  keep(claims: readonly Claim[], room: Room, claimedAt: number): void {
    this.#options.limits.claimed(claims, room);
    this.#reserve.add(claims, claimedAt);
    // A turn later, because signing and sending many would hold up the next claim.
    if (claims.length >= worthATurn) this.#clock.after(0, () => this.#start());
    else this.#start();
    this.#reserve.watch();
  }

  /** Gives back what waits for a slot. */
  giveBackWaiting(): Promise<void> {
    return this.#giveBack(this.#reserve.takeAll());
  }

  /** Waits for the attempts under way; after `limitMs` it breaks them off and gives those back. */
  async end(limitMs: number): Promise<void> {
    const breakOff = () => this.#breaking.abort(new Error('stopping'));
    const callOffLimit = this.#clock.after(limitMs, breakOff);
    await this.#options.limits.idle();
    callOffLimit();
    await this.release(this.#brokenOff.splice(0));
  }

  /** Gives back claims for which no slot is held. Never throws. */
  async release(claims: readonly Claim[]): Promise<void> {
    if (claims.length === 0) return;
    try {
      await this.#options.release(claims);
    } catch (error) {
      this.#options.onFault(error);
    }
  }

  async #giveBack(claims: readonly Claim[]): Promise<void> {
    for (const { endpointId } of claims) this.#options.limits.give(endpointId, 'unasked');
    await this.release(claims);
  }

  #start(): void {
    const { limits } = this.#options;
    while (limits.anyMayBegin) {
      const next = this.#reserve.next((claim) => limits.mayBegin(claim));
      if (!next) return;
      void this.#attempt(next.claim, next.claimedAt);
    }
  }

  async #attempt(claim: Claim, claimedAt: number): Promise<void> {
    const { limits, latestStartMs, attempt, onEnded, onFault } = this.#options;
    const { signal } = this.#breaking;
    const heldMs = this.#clock.now() - claimedAt;
    let heard: Heard = 'unasked';
    let askedAt: number | undefined;
    try {
      if (heldMs > latestStartMs) {
        await this.release([claim]);
        return;
      }
      askedAt = limits.asked(claim.endpointId);
      heard = 'fault';
      const ended = await attempt(claim, heldMs, signal);
      heard = isAnswer(ended.outcome) ? 'answered' : 'silent';
      onEnded(ended, claimedAt);
    } catch (error) {
      if (signal.aborted) this.#brokenOff.push(claim);
      else onFault(error, claim);
    } finally {
      const hadNone = limits.give(claim.endpointId, heard, askedAt);
      this.#start();
      this.#onSlot(hadNone);
    }
  }
}
