import type { Promoted } from '../../src/domain/delivery/sql/promote.js';
import type { Wakeup } from '../../src/domain/wakeup.js';
import { type Clock, processClock } from '../process/clock.js';
import type { Dispatcher } from './dispatcher.js';
import { jittered, delayUnlessStopped } from '../process/jitter.js';

/** Why a poll found pending deliveries that no wake-up announced. */
export type PollFind = 'interrupted' | 'missed' | 'cancelled' | 'ambiguous';

type PollableDispatcher = Pick<Dispatcher, 'poll' | 'polls' | 'free'>;

export interface PollerOptions {
  /** Releases ambiguous claims. @returns the number of pending deliveries */
  readonly releaseAmbiguous: () => Promise<number>;
  /** Marks due pending deliveries ready. */
  readonly promote: () => Promise<Promoted>;
  /** Deletes the finished leases of this process. */
  readonly deleteLeases: () => Promise<void>;
  /** Cancels what changes of endpoints left behind. @returns the number of pending deliveries */
  readonly cancel: () => Promise<number>;
  /** The dispatchers of this process. */
  readonly live: PollableDispatcher | undefined;
  readonly replay: PollableDispatcher | undefined;
  /** Runs isolated deliveries. */
  readonly isolation: { poll(): void };
  readonly wake: (wakeups: readonly Wakeup[]) => void;
  readonly onFind: (find: PollFind, pendingDeliveries: number) => void;
  /** Called with pending deliveries that are now dead letters. */
  readonly onDeadLettered: (pendingDeliveryIds: readonly string[]) => void;
  readonly onError: (error: unknown) => void;
  /** Defaults to the process clock. */
  readonly clock?: Clock;
  /** At least 0, below 1; jitter keeps processes out of step. */
  readonly random?: () => number;
}

const pollEveryMs = 1_000;
const maxBatches = 10;

interface PromotionResult {
  /** Whether any pending delivery became ready. */
  readonly any: boolean;
  /** Whether more may be due. */
  readonly more: boolean;
}

/**
 * Finds due pending deliveries without the queue. About once a second it
 *
 * - marks due pending deliveries ready, including those whose leases have ended,
 * - polls each lane, and
 * - cancels pending deliveries that changes of endpoints left behind.
 *
 * It is a timer, not a job of the queue, so that a flush of the queue cannot stop it.
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
   * Marks due pending deliveries ready, in at most ten batches of a thousand. This process polls between
   * batches, and wakes other processes for what exceeds its free slots.
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

  /** Stops the timer and waits for the running poll. */
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
   * Pending deliveries found without a wake-up since the last poll count as missed. Those that this poll
   * marked ready do not: no wake-up announces a delivery scheduled hours ahead.
   */
  #pollLane(dispatcher: PollableDispatcher | undefined, { any }: PromotionResult): void {
    if (!dispatcher) return;
    const unprompted = !any && dispatcher.polls === this.#pollsSeen.get(dispatcher);
    void dispatcher.poll().then((claimed) => {
      if (unprompted && claimed > 0) this.#options.onFind('missed', claimed);
    });
    this.#pollsSeen.set(dispatcher, dispatcher.polls);
  }

  /** Runs before leases are ended: otherwise these claims would count as interrupted. */
  async #releaseAmbiguous(): Promise<void> {
    const { releaseAmbiguous, onFind, onError } = this.#options;
    try {
      const released = await releaseAmbiguous();
      if (released > 0) onFind('ambiguous', released);
      this.#releaseFailed = false;
    } catch (error) {
      this.#releaseFailed = !this.#releaseFailed;
      if (this.#releaseFailed) throw error;
      // Every second poll goes on without it, or a claim that can never be released would stop all polls.
      onError(error);
    }
  }

  async #cancel(): Promise<void> {
    const { cancel, onFind } = this.#options;
    const cancelled = await cancel();
    if (cancelled > 0) onFind('cancelled', cancelled);
  }
}
