// Polls PostgreSQL about once a second: marks due deliveries ready, ends expired leases, and starts what waits.
//
// Wake-ups make a worker fast, the poll makes it certain: it finds within a second whatever a lost signal, a
// flushed queue or a dead worker left behind. A timer of the process drives it and no job of the queue, so that
// a flush of the queue cannot stop it. A crash loses nothing: the polls of other workers find the same work.
import type { Promoted } from '../../src/domain/delivery/promote.js';
import { anythingWaits, type Polled, type Waiting } from '../../src/domain/service/poll.js';
import type { Wakeup } from '../../src/domain/transaction/wakeup.js';
import { type Clock, processClock, jittered, delayUnlessStopped } from '../clock.js';
import type { ClaimManager } from './claim-manager.js';
import type { DeliveryLane } from './lane.js';

/** Why a poll found pending deliveries that no wake-up announced. */
export type PollFind = 'interrupted' | 'missed' | 'cancelled' | 'ambiguous';

type PollableLane = Pick<DeliveryLane, 'poll' | 'polls' | 'free'>;

export interface PollerOptions {
  readonly claimManager: Pick<
    ClaimManager,
    'poll' | 'promote' | 'releaseUnconfirmed' | 'deleteLeases'
  >;
  /**
   * Cancels pending deliveries that changes of endpoints left behind, from the backlog if there is one.
   * @returns the number of pending deliveries
   */
  readonly cancel: (backlog: boolean) => Promise<number>;
  /**
   * Makes ready what waits for the turn of its subject although none of that is open.
   * @returns the number of pending deliveries
   */
  readonly advanceSubjects: () => Promise<number>;
  /** The lanes of this process; undefined for one that it does not run. */
  readonly live: PollableLane | undefined;
  readonly replay: PollableLane | undefined;
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
/** A round marks at most this many batches ready; the next one begins at once. */
const maxBatches = 10;

/** How many pending deliveries became ready, by lane. */
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
 * - cancels pending deliveries that changes of endpoints left behind,
 * - advances ordered subjects, and
 * - reports what else waits.
 */
export class Poller {
  readonly #options: PollerOptions;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  /** How often each lane had been polled when the last round ended. */
  readonly #pollsSeen = new Map<PollableLane, number>();
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
    return this.#promoteAll(await this.#options.claimManager.promote());
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
    const { claimManager, live, replay, isolation, onWaiting } = this.#options;
    await this.#releaseUnconfirmed();

    const { waiting, ...firstBatch } = await claimManager
      .poll()
      .catch((error: unknown) => this.#promoteOnly(error));
    onWaiting(waiting);

    const promoted = await this.#promoteAll(firstBatch);
    const anyPromoted = promoted.live + promoted.replays > 0;

    if (waiting.live || promoted.live > 0) this.#pollLane(live, anyPromoted);
    if (waiting.replay || promoted.replays > 0) this.#pollLane(replay, anyPromoted);
    if (waiting.isolated || promoted.isolated > 0) isolation.poll();
    for (const lane of [live, replay]) if (lane) this.#pollsSeen.set(lane, lane.polls);

    await claimManager.deleteLeases();
    await this.#cancel(waiting.cancellations);
    // Last, because a cancellation may have ended what the others of its subject waited for.
    if (waiting.subjects && (await this.#options.advanceSubjects()) > 0) void live?.poll();

    return promoted.more;
  }

  /** Marks due deliveries ready after a poll that failed: deliveries continue even if another table cannot be read. */
  async #promoteOnly(error: unknown): Promise<Polled> {
    this.#options.onError(error);
    return { ...(await this.#options.claimManager.promote()), waiting: anythingWaits };
  }

  /** Counts the first batch and promotes the next ones, polling the lanes in between. */
  async #promoteAll(firstBatch: Promoted): Promise<PromotionResult> {
    const { claimManager, live, replay, wake, onFind, onDeadLettered } = this.#options;
    const counts = { live: 0, replays: 0, isolated: 0, interrupted: 0 };
    let promoted = firstBatch;
    for (let batch = 1; ; batch += 1) {
      for (const name of ['live', 'replays', 'isolated', 'interrupted'] as const)
        counts[name] += promoted[name];

      if (promoted.deadLettered.length > 0) onDeadLettered(promoted.deadLettered);
      if (!promoted.full) break;

      for (const lane of [live, replay]) void lane?.poll();
      if (batch === maxBatches || this.#stopping.signal.aborted) break;
      promoted = await claimManager.promote();
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
  #pollLane(lane: PollableLane | undefined, anyPromoted: boolean): void {
    if (!lane) return;
    const unprompted = !anyPromoted && lane.polls === this.#pollsSeen.get(lane);
    void lane.poll().then((claimed) => {
      if (unprompted && claimed > 0) this.#options.onFind('missed', claimed);
    });
  }

  /** Runs before leases are ended: otherwise these claims would count as interrupted. */
  async #releaseUnconfirmed(): Promise<void> {
    const { claimManager, onFind, onError } = this.#options;
    try {
      const released = await claimManager.releaseUnconfirmed();
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
