import type { SweptCancellations } from '../src/domain/delivery/cancel-sweep.js';
import type { Promoted } from '../src/domain/delivery/promote.js';
import type { Wakeup } from '../src/domain/wakeup.js';
import { type Clock, processClock } from './clock.js';
import type { Dispatcher } from './dispatcher.js';
import { jittered, passed } from './rounds.js';

/** What was due without anybody having been woken for it. */
export type SweepFind = 'interrupted' | 'missed' | 'cancelled';

/** What a {@link Sweep} works with. */
export interface SweepOptions {
  /** Makes ready what is due. */
  readonly promote: () => Promise<Promoted>;
  /** Cancels what was left over, beginning after this endpoint. */
  readonly cancel: (after: string) => Promise<SweptCancellations>;
  /** Cancels for some time what long backlogs owe; says how many. */
  readonly payCancellations: () => Promise<number>;
  /** The dispatchers of this process. */
  readonly live: Dispatcher | undefined;
  readonly replay: Dispatcher | undefined;
  /** Runs what is to run alone. */
  readonly solitude: { look(): void };
  readonly wake: (wakeups: readonly Wakeup[]) => void;
  readonly onFind: (find: SweepFind, chains: number) => void;
  /** Chains that nobody claims any more. */
  readonly onParked: (chainIds: readonly string[]) => void;
  readonly onError: (error: unknown) => void;
  /** That of the process unless it is said. */
  readonly clock?: Clock;
  /** At least 0, below 1; puts processes out of step. */
  readonly random?: () => number;
}

const everyMs = 1_000;
const roundsBetweenCancellations = 5;

/**
 * What makes the queue dispensable: about once a second it makes due chains ready, ended leases
 * included, and looks for ready ones; every few seconds it cancels what dead endpoints left open.
 * A timer, not a job, so no flush can take it away.
 */
export class Sweep {
  readonly #options: SweepOptions;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  readonly #looksSeen = new Map<Dispatcher, number>();
  #cancelAfter = '';

  constructor(options: SweepOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  /** Makes everything ready that is due, and wakes others for what this process has no room for. */
  async promote(): Promise<void> {
    const { promote, live, replay, wake, onFind, onParked } = this.#options;
    let [liveCount, replayCount, interrupted] = [0, 0, 0];
    for (let full = true; full && !this.#stopping.signal.aborted;) {
      const promoted = await promote();
      liveCount += promoted.live;
      replayCount += promoted.replays;
      interrupted += promoted.interrupted;
      full = promoted.full;
      if (promoted.parked.length > 0) onParked(promoted.parked);
    }
    if (interrupted > 0) onFind('interrupted', interrupted);
    if (liveCount > (live?.free ?? 0)) wake([{ kind: 'due' }]);
    if (replayCount > (replay?.free ?? 0)) wake([{ kind: 'replay' }]);
  }

  /** Ends the timer and waits for the round under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock = processClock, random } = this.#options;
    const roundPassed = () => passed(jittered(everyMs, random), this.#stopping.signal, clock);
    for (let round = 0; await roundPassed(); round += 1) {
      try {
        await this.promote();
        this.#lookAt(this.#options.live);
        this.#lookAt(this.#options.replay);
        this.#options.solitude.look();
        await this.#pay();
        if (this.#cancelAfter !== '' || round % roundsBetweenCancellations === 0) {
          await this.#cancel();
        }
      } catch (error) {
        this.#options.onError(error);
      }
    }
  }

  /** What is found where nobody else has asked to look since the last round was missed. */
  #lookAt(dispatcher: Dispatcher | undefined): void {
    if (!dispatcher) return;
    const alone = dispatcher.looks === this.#looksSeen.get(dispatcher);
    void dispatcher.look().then((claimed) => {
      if (alone && claimed > 0) this.#options.onFind('missed', claimed);
    });
    this.#looksSeen.set(dispatcher, dispatcher.looks);
  }

  async #pay(): Promise<void> {
    const { payCancellations, onFind } = this.#options;
    const cancelled = await payCancellations();
    if (cancelled > 0) onFind('cancelled', cancelled);
  }

  async #cancel(): Promise<void> {
    const { cancel, onFind } = this.#options;
    const { cancelled, next } = await cancel(this.#cancelAfter);
    this.#cancelAfter = next;
    if (cancelled > 0) onFind('cancelled', cancelled);
  }
}
