import type { Wakeup, WakeupKind } from '../../src/domain/wakeup.js';
import type { Random } from '../../tools/seed/random.js';
import type { FaultRates } from './scenario.js';
import type { VirtualTime } from './virtual-time.js';

/** What a {@link SimulatedQueue} works with. */
export interface QueueOptions {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly faultRates: () => FaultRates;
  /** Milliseconds since 1970 at the beginning of time. */
  readonly startedAt: number;
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
    const { random, faultRates } = this.#options;
    for (const wakeup of wakeups) {
      const { wakeupLost, wakeupTwice } = faultRates();
      if (random.boolean(wakeupLost)) continue;
      this.#enqueue(wakeup);
      if (random.boolean(wakeupTwice)) this.#enqueue(wakeup);
    }
  };

  #enqueue({ kind, at }: Wakeup): void {
    const { time, random, faultRates, startedAt, deliver } = this.#options;
    const late = random.boolean(faultRates().wakeupLate) ? 3_000 * random.next() : 0;
    const ahead = at ? at.getTime() - startedAt - time.now : 0;
    const isScheduled = ahead > 0;
    const travel = 1 + 5 * random.next();
    time.after(Math.max(0, ahead) + travel + late, () => deliver(kind, isScheduled));
  }
}
