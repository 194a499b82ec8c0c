// Polls PostgreSQL about once a second, by a timer of the process: marks due deliveries ready, ends leases, and starts what waits.
//
// Wake-ups make a worker fast, the poll makes it certain: whatever a lost signal, a flushed queue or a dead worker left behind is found
// here within a second.
import type { Promoted } from '../../src/domain/delivery/promote.js';
import { anythingWaits, type Polled, type Waiting } from '../../src/domain/service/poll.js';
import type { Wakeup } from '../../src/domain/transaction/wakeup.js';
import { type Clock, processClock, jittered, delayUnlessStopped } from '../clock.js';
import type { ClaimManager } from './claims.js';
import type { Dispatcher } from './dispatcher.js';

/** Why a poll found pending deliveries that no wake-up announced. */
export type PollFind = 'interrupted' | 'missed' | 'cancelled' | 'ambiguous';

type PollableDispatcher = Pick<Dispatcher, 'poll' | 'polls' | 'free'>;

export interface PollerOptions {
  readonly claims: Pick<ClaimManager, 'poll' | 'promote' | 'releaseUnconfirmed' | 'deleteLeases'>;
  /**
   * Cancels what changes of endpoints left behind, from the backlog if there is one.
   * @returns the number of pending deliveries
   */
  readonly cancel: (backlog: boolean) => Promise<number>;
  /** The dispatchers of this process. */
  readonly live: PollableDispatcher | undefined;
  readonly replay: PollableDispatcher | undefined;
  /** Runs isolated deliveries. */
  readonly isolation: { poll(): void };
  /** Called with what else waits; must not throw. If the poll failed, everything may wait. */
  readonly onWaiting: (
    waiting: Pick<Waiting, 'notices' | 'checkouts' | 'recoveries' | 'recovery'>,
  ) => void;
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
  readonly live: number;
  readonly replays: number;
  readonly isolated: number;
  /** Whether more may be due. */
  readonly more: boolean;
}

/**
 * Finds work without the queue. About once a second one statement marks due pending deliveries ready,
 * including those whose leases have ended, and says what waits. The poller then
 *
 * - polls each lane in which deliveries are ready,
 * - cancels pending deliveries that changes of endpoints left behind, and
 * - reports what else waits.
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
    await this.#releaseUnconfirmed();
    return this.#promote(await this.#options.claims.promote());
  }

  /** Stops the timer and waits for the running poll. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock = processClock, random, onError, onWaiting } = this.#options;
    let more = false;
    const nextPollDue = () =>
      delayUnlessStopped(more ? 0 : jittered(pollEveryMs, random), this.#stopping.signal, clock);
    while (await nextPollDue()) {
      more = false;
      try {
        more = await this.#poll();
      } catch (error) {
        onError(error);
        onWaiting(anythingWaits);
      }
    }
  }

  /** @returns whether more may be due */
  async #poll(): Promise<boolean> {
    const { claims, live, replay, isolation, onWaiting } = this.#options;
    await this.#releaseUnconfirmed();

    const { waiting, ...first } = await claims
      .poll()
      .catch((error: unknown) => this.#pollEach(error));
    onWaiting(waiting);

    const promoted = await this.#promote(first);
    const any = promoted.live + promoted.replays > 0;

    if (waiting.live || promoted.live > 0) this.#pollLane(live, any);
    if (waiting.replay || promoted.replays > 0) this.#pollLane(replay, any);
    if (waiting.isolated || promoted.isolated > 0) isolation.poll();
    for (const each of [live, replay]) if (each) this.#pollsSeen.set(each, each.polls);
    await claims.deleteLeases();
    await this.#cancel(waiting.cancellations);

    return promoted.more;
  }

  /** If one table cannot be read, deliveries still continue. */
  async #pollEach(error: unknown): Promise<Polled> {
    this.#options.onError(error);
    return { ...(await this.#options.claims.promote()), waiting: anythingWaits };
  }

  /** Goes on after the first batch. */
  async #promote(first: Promoted): Promise<PromotionResult> {
    const { claims, live, replay, wake, onFind, onDeadLettered } = this.#options;
    const counts = { live: 0, replays: 0, isolated: 0, interrupted: 0 };
    let promoted = first;
    for (let batch = 1; ; batch += 1) {
      for (const each of ['live', 'replays', 'isolated', 'interrupted'] as const)
        counts[each] += promoted[each];
      if (promoted.deadLettered.length > 0) onDeadLettered(promoted.deadLettered);
      if (!promoted.full) break;
      for (const each of [live, replay]) void each?.poll();
      if (batch === maxBatches || this.#stopping.signal.aborted) break;
      promoted = await claims.promote();
    }

    if (counts.interrupted > 0) onFind('interrupted', counts.interrupted);
    if (counts.live > (live?.free ?? 0)) wake([{ kind: 'due' }]);
    if (counts.replays > (replay?.free ?? 0)) wake([{ kind: 'replay' }]);

    return { ...counts, more: promoted.full };
  }

  /**
   * Pending deliveries found without a wake-up since the last poll count as missed. Those that this poll
   * marked ready do not: no wake-up announces a delivery scheduled hours ahead.
   */
  #pollLane(dispatcher: PollableDispatcher | undefined, promoted: boolean): void {
    if (!dispatcher) return;
    const unprompted = !promoted && dispatcher.polls === this.#pollsSeen.get(dispatcher);
    void dispatcher.poll().then((claimed) => {
      if (unprompted && claimed > 0) this.#options.onFind('missed', claimed);
    });
  }

  /** Runs before leases are ended: otherwise these claims would count as interrupted. */
  async #releaseUnconfirmed(): Promise<void> {
    const { claims, onFind, onError } = this.#options;
    try {
      const released = await claims.releaseUnconfirmed();
      if (released > 0) onFind('ambiguous', released);
      this.#releaseFailed = false;
    } catch (error) {
      this.#releaseFailed = !this.#releaseFailed;
      if (this.#releaseFailed) throw error;
      // Every second poll goes on without it, or a claim that can never be released would stop all polls.
      onError(error);
    }
  }

  async #cancel(backlog: boolean): Promise<void> {
    const { cancel, onFind } = this.#options;
    const cancelled = await cancel(backlog);
    if (cancelled > 0) onFind('cancelled', cancelled);
  }
}
