import { type AbortState, type Read, TransactionAborted } from '../tx.js';
import type { Wakeup } from '../wakeup.js';
import type { EventClock } from './event-clock.js';
import {
  groupSizeAfterTimeout,
  halvesOf,
  isTimeout,
  largestGroup,
  nextGroupSize,
  recoveryOf,
  resultOfFollower,
} from './group-rules.js';
import { nameOfKey, type PreparedEvent } from './prepare-event.js';
import { keyUnresolved, maxTries } from './publish.js';
import { type Published, type StoreAnswer, storeEvents } from './store-events.js';
import { WaitingEvents } from './waiting-events.js';

/** Options of a {@link GroupCommit}. */
export interface GroupCommitOptions {
  /** For groups, of which at most two are in flight. */
  readonly read: Pick<Read, 'sql' | 'rules'>;
  /** For events whose key another transaction holds. */
  readonly keyWait: Pick<Read, 'sql' | 'rules'>;
  readonly clock: EventClock;
  /** Sends wake-ups after a commit; must not throw. */
  readonly wake: (wakeups: readonly Wakeup[]) => void;
  /** Counts events that were committed; must not throw. */
  readonly accepted: (events: number) => void;
}

/** An event that a caller publishes. */
export interface Publication {
  readonly accountId: string;
  readonly bytes: number;
  readonly event: PreparedEvent;
  /** Takes the event out of the queue. */
  readonly signal: AbortState | undefined;
  /** Called once. */
  readonly resolve: (result: Published | Error) => void;
}

interface Waiting extends Publication {
  /** Later events with the same key, which get their results with this one's. */
  readonly followers: Waiting[];
  tries: number;
}

/** Sends one group after the other. */
interface Lane {
  readonly keyed: boolean;
  readonly waiting: WaitingEvents<Waiting>;
  busy: boolean;
  /** How many events the next group may have. */
  size: number;
}

/** A group waits this long for keys that another transaction holds: as long as most commits take. */
const keyWaitMs = 25;

/** Its parts wait no more: a held key then costs the other events milliseconds. */
const keyWaitOfPartsMs = 1;

/**
 * Stores events by group commit. An event that finds its lane idle goes out at once: one statement,
 * which commits by itself. Those that arrive meanwhile go together when it returns. Events with
 * keys have a lane of their own, because another transaction can hold a key.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #keyed = newLane(true);
  readonly #plain = newLane(false);
  /** The event of each key that is in flight. */
  readonly #leaders = new Map<string, Waiting>();

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  add(publication: Publication): void {
    this.#enqueue({ ...publication, followers: [], tries: 0 });
  }

  #enqueue(item: Waiting): void {
    const lane = item.event.key ? this.#keyed : this.#plain;
    lane.waiting.add(item);
    if (!lane.busy) void this.#run(lane);
  }

  async #run(lane: Lane): Promise<void> {
    lane.busy = true;
    // Lets the other events of the same request join.
    await Promise.resolve();
    for (;;) {
      const limits = { events: lane.size, bytes: largestGroup.bytes };
      const group = lane.waiting.take(limits, (item) => this.#admit(item));
      if (group.length === 0) break;
      await this.#send(lane, group);
    }
    lane.busy = false;
  }

  /** Whether the event joins the group. It does not if its caller left, or if its key is in flight. */
  #admit(item: Waiting): boolean {
    if (item.signal?.aborted) {
      this.#finish(item, new TransactionAborted());
      return false;
    }
    const name = nameOfKey(item.event);
    if (name === undefined) return true;
    const leader = this.#leaders.get(name);
    if (leader) leader.followers.push(item);
    else this.#leaders.set(name, item);
    return !leader;
  }

  async #send(lane: Lane, group: readonly Waiting[], lockTimeoutMs = keyWaitMs): Promise<void> {
    const { clock, read } = this.#options;
    const options = lane.keyed ? { lockTimeoutMs } : {};
    let answer: StoreAnswer;
    try {
      answer = await clock.corrected(() => storeEvents(read, eventsOf(group), options));
    } catch (error) {
      if (isTimeout(error)) lane.size = groupSizeAfterTimeout(group.length);
      await this.#recover(lane, group, error as Error);
      return;
    }
    lane.size = nextGroupSize(lane.size, group.length, answer.pendingDeliveries);
    this.#resolveAll(group, answer);
  }

  async #recover(lane: Lane, group: readonly Waiting[], error: Error): Promise<void> {
    switch (recoveryOf(error, group.length)) {
      case 'halve':
        for (const half of halvesOf(group)) await this.#send(lane, half, keyWaitOfPartsMs);
        break;
      case 'wait':
        void this.#waitForKey(group);
        break;
      case 'fail':
        this.#fail(group, error);
    }
  }

  /** Waits for the key as long as the settings of the connection allow. */
  async #waitForKey(group: readonly Waiting[]): Promise<void> {
    let answer: StoreAnswer;
    try {
      answer = await storeEvents(this.#options.keyWait, eventsOf(group));
    } catch (error) {
      this.#fail(group, error as Error);
      return;
    }
    this.#resolveAll(group, answer);
  }

  #resolveAll(group: readonly Waiting[], answer: StoreAnswer): void {
    this.#options.accepted(answer.stored);
    if (answer.pendingDeliveries > 0) this.#options.wake([{ kind: 'due' }]);
    for (const [place, item] of group.entries()) {
      const result = answer.results[place] ?? 'unresolved';
      if (result !== 'unresolved') this.#finish(item, result);
      else if ((item.tries += 1) < maxTries) this.#resend(item);
      else this.#finish(item, keyUnresolved());
    }
  }

  #fail(group: readonly Waiting[], error: Error): void {
    for (const item of group) this.#finish(item, error);
  }

  #finish(item: Waiting, result: Published | Error): void {
    this.#releaseKey(item);
    item.resolve(result);
    for (const follower of item.followers.splice(0)) {
      const own = resultOfFollower(item.event, follower.event, result);
      if (own) this.#finish(follower, own);
      else this.#resend(follower);
    }
  }

  #resend(item: Waiting): void {
    this.#releaseKey(item);
    this.#enqueue(item);
  }

  #releaseKey(item: Waiting): void {
    const name = nameOfKey(item.event);
    if (name !== undefined && this.#leaders.get(name) === item) this.#leaders.delete(name);
  }
}

function newLane(keyed: boolean): Lane {
  return { keyed, waiting: new WaitingEvents(), busy: false, size: largestGroup.events };
}

function eventsOf(group: readonly Waiting[]): PreparedEvent[] {
  return group.map(({ event }) => event);
}
