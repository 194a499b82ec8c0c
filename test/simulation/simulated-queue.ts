import type { Wakeup, WakeupKind } from '../../src/domain/wakeup.js';
import type { Chance } from '../../src/seed/chance.js';
import type { Misfortunes } from './plan.js';
import type { VirtualTime } from './virtual-time.js';

/** What a {@link SimulatedQueue} works with. */
export interface QueueOptions {
  readonly time: VirtualTime;
  readonly chance: Chance;
  readonly misfortunes: () => Misfortunes;
  /** Milliseconds since 1970 at the beginning of time. */
  readonly begunAt: number;
  /** Gives a wake-up to one of the processes that live, if there are any. */
  readonly deliver: (kind: WakeupKind, scheduled: boolean) => void;
}

/** A queue that loses wake-ups, brings them late, and brings them twice. */
export class SimulatedQueue {
  readonly #options: QueueOptions;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  readonly wake = (wakeups: readonly Wakeup[]): void => {
    const { chance, misfortunes } = this.#options;
    for (const wakeup of wakeups) {
      const { wakeupLost, wakeupTwice } = misfortunes();
      if (chance.happens(wakeupLost)) continue;
      this.#bring(wakeup);
      if (chance.happens(wakeupTwice)) this.#bring(wakeup);
    }
  };

  #bring({ kind, at }: Wakeup): void {
    const { time, chance, misfortunes, begunAt, deliver } = this.#options;
    const late = chance.happens(misfortunes().wakeupLate) ? 3_000 * chance.next() : 0;
    const ahead = at ? at.getTime() - begunAt - time.now : 0;
    const isScheduled = ahead > 0;
    const travel = 1 + 5 * chance.next();
    time.after(Math.max(0, ahead) + travel + late, () => deliver(kind, isScheduled));
  }
}
