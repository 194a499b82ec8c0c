import type { Promoted } from '../../src/domain/delivery/sql/promote.js';
import type { Wakeup } from '../../src/domain/wakeup.js';
import { type Clock, processClock } from '../process/clock.js';
import type { Dispatcher } from './dispatcher.js';
import { jittered, delayUnlessStopped } from '../process/jitter.js';

/** What was due without anybody having been woken for it. */
export type PollFind = 'interrupted' | 'missed' | 'cancelled' | 'ambiguous';

type PollableDispatcher = Pick<Dispatcher, 'poll' | 'polls' | 'free'>;

/** What a {@link Poller} works with. */
export interface PollerOptions {
  /** Gives back what was claimed without this process hearing of it; says how many pending deliveries. */
  readonly releaseAmbiguous: () => Promise<number>;
  /** Makes ready what is due. */
  readonly promote: () => Promise<Promoted>;
  /** Forgets the leases of this process that are over. */
  readonly deleteLeases: () => Promise<void>;
  /** Cancels what changes of endpoints left behind; returns how many. */
  readonly cancel: () => Promise<number>;
  /** The dispatchers of this process. */
  readonly live: PollableDispatcher | undefined;
  readonly replay: PollableDispatcher | undefined;
  /** Runs what is to run alone. */
  readonly isolation: { poll(): void };
  readonly wake: (wakeups: readonly Wakeup[]) => void;
  readonly onFind: (find: PollFind, pendingDeliveries: number) => void;
  /** Pending deliveries that nobody claims any more. */
  readonly onDeadLettered: (pendingDeliveryIds: readonly string[]) => void;
  readonly onError: (error: unknown) => void;
  /** That of the process unless it is said. */
  readonly clock?: Clock;
  /** At least 0, below 1; puts processes out of step. */
  readonly random?: () => number;
}

const pollEveryMs = 1_000;
const maxBatches = 10;

/** What came of one turn of making pending deliveries ready. */
interface PromotionResult {
  /** Whether any became ready. */
  readonly any: boolean;
  /** Whether there may be more. */
  readonly more: boolean;
}

/**
 * What makes the queue dispensable: about once a second it makes due pending deliveries ready, ended leases
 * included, and looks for ready ones; every few seconds it cancels what dead endpoints left open.
 * A timer, not a job, so no flush can take it away.
 */
export class Poller {
  readonly #options: PollerOptions;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  readonly #pollsSeen = new Map<PollableDispatcher, number>();
  #releaseFailed = false;

  constructor(options: PollerOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  /**
   * Makes ready what is due, a thousand pending deliveries at a time and ten times at most; this process looks
   * in between, and others are woken for what it has no room for.
   */
  async promote(): Promise<PromotionResult> {
    const { promote, live, replay, wake, onFind, onDeadLettered } = this.#options;
    await this.#releaseAmbiguous();
    let [liveCount, replayCount, interrupted] = [0, 0, 0];
    let full = true;
    for (let batch = 0; full && batch < maxBatches && !this.#stopping.signal.aborted; batch += 1) {
      const promoted = await promote();
      liveCount += promoted.live;
      replayCount += promoted.replays;
      interrupted += promoted.interrupted;
      full = promoted.full;
      if (promoted.deadLettered.length > 0) onDeadLettered(promoted.deadLettered);
      if (full) for (const each of [live, replay]) void each?.poll();
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
    const nextPollDue = () =>
      delayUnlessStopped(more ? 0 : jittered(pollEveryMs, random), this.#stopping.signal, clock);
    while (await nextPollDue()) {
      more = false;
      try {
        const promoted = await this.promote();
        more = promoted.more;
        this.#pollLane(this.#options.live, promoted);
        this.#pollLane(this.#options.replay, promoted);
        this.#options.isolation.poll();
        await this.#options.deleteLeases();
        await this.#cancel();
      } catch (error) {
        this.#options.onError(error);
      }
    }
  }

  /**
   * What is found where nobody else has asked to look since the last round was missed, unless this
   * round made it ready: nobody is woken for what is due hours after it was scheduled.
   */
  #pollLane(dispatcher: PollableDispatcher | undefined, { any }: PromotionResult): void {
    if (!dispatcher) return;
    const unprompted = !any && dispatcher.polls === this.#pollsSeen.get(dispatcher);
    void dispatcher.poll().then((claimed) => {
      if (unprompted && claimed > 0) this.#options.onFind('missed', claimed);
    });
    this.#pollsSeen.set(dispatcher, dispatcher.polls);
  }

  /** Before leases are ended, or it would count as interrupted. */
  async #releaseAmbiguous(): Promise<void> {
    const { releaseAmbiguous, onFind, onError } = this.#options;
    try {
      const released = await releaseAmbiguous();
      if (released > 0) onFind('ambiguous', released);
      this.#releaseFailed = false;
    } catch (error) {
      this.#releaseFailed = !this.#releaseFailed;
      if (this.#releaseFailed) throw error;
      // Every second round goes on without, or what can never be given back would end all polls.
      onError(error);
    }
  }

  async #cancel(): Promise<void> {
    const { cancel, onFind } = this.#options;
    const cancelled = await cancel();
    if (cancelled > 0) onFind('cancelled', cancelled);
  }
}
