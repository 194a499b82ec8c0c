import { smallestId } from '../../id.js';
import type { Capacity } from '../claim.js';

/** Pending deliveries that a claim of all that is ready takes, at most: each brings its own body. */
const mostAtOnce = 32;
/** Below this, more would be ready too often. */
const leastAtOnce = 4;
const minWalks = 4;
const maxWalks = 64;
const dayMs = 86_400_000;

/** What a claim of all that is ready may take. */
export interface FewLimits {
  readonly most: number;
  /** The first id of events, and the first after them. */
  readonly events: readonly [string, string];
}

/**
 * Decides whether a claim first tries to take all that is ready. It does not for the next claims after
 * more was ready than that: for 4, then for twice as many each time, at most 64.
 */
export class FewReady {
  /** Without a reading of the database's clock it names no events, and takes none. */
  #events: FewLimits['events'] = ['', ''];
  #walks = 0;
  #nextWalks = minWalks;

  /** Returns what to try, or undefined. */
  limits({ slots, perAccount = slots, accounts }: Capacity): FewLimits | undefined {
    if (this.#walks > 0) {
      this.#walks -= 1;
      return undefined;
    }
    const most = Math.min(mostAtOnce, slots, perAccount, ...(accounts?.values() ?? []));
    return most < leastAtOnce ? undefined : { most, events: this.#events };
  }

  /**
   * Notes whether more was ready.
   * @param nowMs by the database's clock. The next try names events of the day before and after it
   */
  tried(more: boolean, nowMs: number): void {
    this.#walks = more ? this.#nextWalks : 0;
    this.#nextWalks = more ? Math.min(2 * this.#nextWalks, maxWalks) : minWalks;
    const at = (ms: number) => smallestId('evt', new Date(ms));
    this.#events = [at(nowMs - dayMs), at(nowMs + dayMs)];
  }
}
