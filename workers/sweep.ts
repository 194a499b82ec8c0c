import type { SweptCancellations } from '../src/domain/delivery/cancel-sweep.js';
import type { Promoted } from '../src/domain/delivery/promote.js';
import type { Wakeup } from '../src/domain/wakeup.js';
import { type Clock, processClock } from './clock.js';
import type { Dispatcher } from './dispatcher.js';
import { jittered, passed } from './rounds.js';

/** What was due without anybody having been woken for it. */
export type SweepFind = 'interrupted' | 'missed' | 'cancelled' | 'unheard';

type Looker = Pick<Dispatcher, 'look' | 'looks' | 'free'>;

/** What a {@link Sweep} works with. */
export interface SweepOptions {
  /** Gives back what was claimed without this process hearing of it; says how many chains. */
  readonly releaseUnheard: () => Promise<number>;
  /** Makes ready what is due. */
  readonly promote: () => Promise<Promoted>;
  /** Forgets the leases of this process that are over. */
  readonly forgetLeases: () => Promise<void>;
  /** Cancels what was left over, going on after this endpoint. */
  readonly cancel: (after: string) => Promise<SweptCancellations>;
  /** Cancels for some time what long backlogs owe; says how many. */
  readonly payCancellations: () => Promise<number>;
  /** The dispatchers of this process. */
  readonly live: Looker | undefined;
  readonly replay: Looker | undefined;
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
const batchesInTurn = 10;

/** What came of one turn of making chains ready. */
interface PromotedInTurn {
  /** Whether any became ready. */
  readonly any: boolean;
  /** Whether there may be more. */
  readonly more: boolean;
}

/**
 * What makes the queue dispensable: about once a second it makes due chains ready, ended leases
 * included, and looks for ready ones; every few seconds it cancels what dead endpoints left open.
 * A timer, not a job, so no flush can take it away.
 */
export class Sweep {
  readonly #options: SweepOptions;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  readonly #looksSeen = new Map<Looker, number>();
  #cancelAfter = '';
  #couldNotRelease = false;

  constructor(options: SweepOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  /**
   * Makes ready what is due, a thousand chains at a time and ten times at most; this process looks
   * in between, and others are woken for what it has no room for.
   */
  async promote(): Promise<PromotedInTurn> {
    const { promote, live, replay, wake, onFind, onParked } = this.#options;
    await this.#releaseUnheard();
    let [liveCount, replayCount, interrupted] = [0, 0, 0];
    let full = true;
    for (
      let batch = 0;
      full && batch < batchesInTurn && !this.#stopping.signal.aborted;
      batch += 1
    ) {
      const promoted = await promote();
      liveCount += promoted.live;
      replayCount += promoted.replays;
      interrupted += promoted.interrupted;
      full = promoted.full;
      if (promoted.parked.length > 0) onParked(promoted.parked);
      if (full) for (const each of [live, replay]) void each?.look();
    }
    if (interrupted > 0) onFind('interrupted', interrupted);
    if (liveCount > (live?.free ?? 0)) wake([{ kind: 'due' }]);
    if (replayCount > (replay?.free ?? 0)) wake([{ kind: 'replay' }]);
    return { any: liveCount + replayCount > 0, more: full };
  }

  /** Ends the timer and waits for the round under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock = processClock, random } = this.#options;
    let more = false;
    const roundPassed = () =>
      passed(more ? 0 : jittered(everyMs, random), this.#stopping.signal, clock);
    for (let round = 0; await roundPassed(); round += 1) {
      more = false;
      try {
        const promoted = await this.promote();
        more = promoted.more;
        this.#lookAt(this.#options.live, promoted);
        this.#lookAt(this.#options.replay, promoted);
        this.#options.solitude.look();
        await this.#options.forgetLeases();
        await this.#pay();
        if (this.#cancelAfter !== '' || round % roundsBetweenCancellations === 0) {
          await this.#cancel();
        }
      } catch (error) {
        this.#options.onError(error);
      }
    }
  }

  /**
   * What is found where nobody else has asked to look since the last round was missed, unless this
   * round made it ready: nobody is woken for what is due hours after it was scheduled.
   */
  #lookAt(dispatcher: Looker | undefined, { any }: PromotedInTurn): void {
    if (!dispatcher) return;
    const alone = !any && dispatcher.looks === this.#looksSeen.get(dispatcher);
    void dispatcher.look().then((claimed) => {
      if (alone && claimed > 0) this.#options.onFind('missed', claimed);
    });
    this.#looksSeen.set(dispatcher, dispatcher.looks);
  }

  /** Before leases are ended, or it would count as interrupted. */
  async #releaseUnheard(): Promise<void> {
    const { releaseUnheard, onFind, onError } = this.#options;
    try {
      const released = await releaseUnheard();
      if (released > 0) onFind('unheard', released);
      this.#couldNotRelease = false;
    } catch (error) {
      this.#couldNotRelease = !this.#couldNotRelease;
      if (this.#couldNotRelease) throw error;
      // Every second round goes on without, or what can never be given back would end all sweeps.
      onError(error);
    }
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
