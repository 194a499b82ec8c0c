import { type Read, TransactionAborted } from '../tx.js';
import { channelOf, type Wakeup } from '../wakeup.js';
import type { EventClock } from './event-clock.js';
import { FanOuts } from './fan-out.js';
import { halvesOf, isTimeout, recoveryOf, resultOfFollower } from './group-rules.js';
import {
  eventsOf,
  type GroupQueue,
  learnFromAnswer,
  learnFromTimeout,
  newGroupQueue,
  type Publication,
  takeGroup,
  type Waiting,
} from './group-queue.js';
import { KeyLeaders } from './key-leaders.js';
import type { PreparedEvent } from './prepare-event.js';
import { keyUnresolved, maxTries } from './publish.js';
import { type Published, type StoreAnswer, storeEvents, type StoreResult } from './store-events.js';

/** @returns takes the results, in the order of the events */
type Committing = (events: readonly PreparedEvent[]) => (results: readonly StoreResult[]) => void;

/** Options of a {@link GroupCommit}. */
export interface GroupCommitOptions {
  /** For groups, of which at most two are in flight. */
  readonly read: Pick<Read, 'sql' | 'rules'>;
  /** For events with keys that wait for another transaction. */
  readonly keyWait: Pick<Read, 'sql' | 'rules'>;
  readonly clock: EventClock;
  /** Sends wake-ups after a commit; must not throw. */
  readonly wake: (wakeups: readonly Wakeup[]) => void;
  /** Counts events that were committed; must not throw. */
  readonly accepted: (events: number) => void;
  /** Called when a group is sent. Returns what to call after its commit; neither may throw. */
  readonly committing?: Committing | undefined;
}

/** A group waits this long for keys that another transaction holds: as long as most commits take. */
const keyWaitMs = 25;

/** Its parts wait this long, so that one held key delays the other events by milliseconds. */
const keyWaitOfPartsMs = 1;

/**
 * Stores events by group commit. An event that finds its queue idle goes out at once: one statement,
 * which commits by itself. Those that arrive meanwhile go together when it returns. Events with
 * keys have a queue of their own, because another transaction can hold a key.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #keyed = newGroupQueue(true);
  readonly #plain = newGroupQueue(false);
  readonly #leaders = new KeyLeaders();
  readonly #fanOuts = new FanOuts();

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  add({ accountId, bytes, event, signal, resolve }: Publication): void {
    const fanOut = this.#fanOuts.of(event);
    this.#enqueue({ accountId, bytes, event, signal, resolve, fanOut, followers: [], tries: 0 });
  }

  #enqueue(item: Waiting): void {
    const queue = item.event.key ? this.#keyed : this.#plain;
    queue.waiting.add(item);
    if (!queue.busy) void this.#run(queue);
  }

  async #run(queue: GroupQueue): Promise<void> {
    queue.busy = true;
    // Lets the other events of the same request join.
    await Promise.resolve();
    for (let wasIdle = true; ; wasIdle = false) {
      const group = takeGroup(queue, (item) => this.#admit(item));
      if (group.length === 0) break;
      if (wasIdle && group.length === 1) await this.#sendLone(queue, group);
      else await this.#send(queue, group);
    }
    queue.busy = false;
  }

  /** Whether the event joins the group. It does not if its caller left, or if its key is in flight. */
  #admit(item: Waiting): boolean {
    if (item.signal?.aborted) {
      this.#finish(item, new TransactionAborted());
      return false;
    }
    return this.#leaders.admit(item);
  }

  /** Its commit also signals: one round trip in place of two. */
  #sendLone(queue: GroupQueue, group: readonly Waiting[]): Promise<void> {
    return this.#send(queue, group, keyWaitMs, channelOf('due'));
  }

  async #send(
    queue: GroupQueue,
    group: readonly Waiting[],
    lockTimeoutMs = keyWaitMs,
    notify?: string,
  ): Promise<void> {
    const { clock, read } = this.#options;
    const options = { notify, ...(queue.keyed && { lockTimeoutMs }) };
    const events = eventsOf(group);
    const committed = this.#options.committing?.(events);
    let answer: StoreAnswer;
    try {
      answer = await clock.corrected(() => storeEvents(read, events, options));
    } catch (error) {
      if (isTimeout(error)) learnFromTimeout(queue, group);
      await this.#recover(queue, group, error as Error);
      return;
    }
    committed?.(answer.results);
    learnFromAnswer(queue, group, answer);
    this.#resolveAll(group, answer);
  }

  async #recover(queue: GroupQueue, group: readonly Waiting[], error: Error): Promise<void> {
    switch (recoveryOf(error, group.length, queue.keyed)) {
      case 'halve':
        for (const half of halvesOf(group)) await this.#send(queue, half, keyWaitOfPartsMs);
        break;
      case 'resend':
        for (const item of group) this.#retry(item, error);
        break;
      case 'wait':
        for (const item of group) void this.#wait(item);
        break;
      case 'fail':
        for (const item of group) this.#finish(item, error);
    }
  }

  /** Waits for locks as long as the settings of the connection allow. */
  async #wait(item: Waiting): Promise<void> {
    let answer: StoreAnswer;
    try {
      answer = await storeEvents(this.#options.keyWait, [item.event]);
    } catch (error) {
      this.#finish(item, error as Error);
      return;
    }
    this.#resolveAll([item], answer);
  }

  #resolveAll(group: readonly Waiting[], answer: StoreAnswer): void {
    this.#options.accepted(answer.stored);
    if (answer.pendingDeliveries > 0)
      this.#options.wake([{ kind: 'due', ...(answer.signalled && { signalled: true }) }]);
    for (const [place, item] of group.entries()) {
      const result = answer.results[place] ?? 'unresolved';
      if (result !== 'unresolved') this.#finish(item, result);
      else this.#retry(item, keyUnresolved());
    }
  }

  #finish(item: Waiting, result: Published | Error): void {
    this.#leaders.release(item);
    item.resolve(result);
    for (const follower of item.followers.splice(0)) {
      const own = resultOfFollower(item.event, follower.event, result);
      if (own) this.#finish(follower, own);
      else this.#resend(follower);
    }
  }

  /** @param failure its result after its last try */
  #retry(item: Waiting, failure: Error): void {
    if ((item.tries += 1) < maxTries) this.#resend(item);
    else this.#finish(item, failure);
  }

  #resend(item: Waiting): void {
    this.#leaders.release(item);
    this.#enqueue(item);
  }
}
