// Group commit: how many events become one transaction. One statement stores the events of several callers, and
// commits by itself.
//
// - An event that finds its queue idle is sent at once, alone. Those that arrive meanwhile wait, and are sent together
//   when it returns: accounts take turns, and the events of an account keep their order.
// - Events with keys have a separate queue, because another transaction can hold a key. Each queue has one group in
//   flight. An event whose key stays held leaves its group and waits alone.
// - Only one event of a key is in flight, its leader. Later ones follow it: they are not sent, and get their results
//   with the leader's.
// - A group makes about 10,000 pending deliveries at most, so that it commits within 0.2 s (H240). How many an event
//   makes, its fan-out, is learned for each account and type from the groups before. An endpoint with a filter counts in
//   it whether it matched or not, because the filter is evaluated either way.
// - The bytes of the events that wait are limited in total and per account. Further events are refused.
//
// A crash loses the events that wait. No caller was told that they are published; one that repeats an event with its
// key publishes it once.
//
// In this order: GroupCommit sends the groups, KeyLeaders keeps followers back, GroupQueue and WaitingEvents form the
// groups, FanOuts and GroupRoom limit their size, recoveryOf says what follows a failure, ByteBudget limits what waits.
import type { DomainError } from '../errors.js';
import { Lru } from '../lru.js';
import {
  type AbortState,
  type Read,
  SemaphoreRejected,
  TransactionAborted,
} from '../transaction/tx.js';
import { isConflict, isUnavailable } from '../transaction/unavailable.js';
import { channelOf, type Wakeup } from '../transaction/wakeup.js';
import { nameOfKey, type PreparedEvent } from './prepare-event.js';
import { keyUnresolved, maxTries } from './publish.js';
import {
  type GroupFanOut,
  isFiltering,
  isStored,
  keyConflict,
  type Published,
  SchemaOutdated,
  type StoreAnswer,
  storeEvents,
  type StoreResult,
  unknownFanOut,
} from './store-events.js';

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
  /**
   * Limits the bytes of the events that wait. Defaults to 16 MiB in total and 12 MiB per account.
   * Accounts of which at most 1 MiB waits have 8 MiB more.
   */
  readonly waitingBytes?: ByteLimits;
  /** Called when a group is sent. Returns what to call after its commit; neither may throw. */
  readonly committing?: Committing | undefined;
}

/** PostgreSQL's clock, which each answer corrects. */
interface EventClock {
  now(): Promise<Date>;
  corrected<Answer extends { readonly clockMs: number }>(
    statement: () => Promise<Answer>,
  ): Promise<Answer>;
}

/** Is called with the events of a group; returns a function that gets their results, in the same order. */
type Committing = (events: readonly PreparedEvent[]) => (results: readonly StoreResult[]) => void;

/** Stores the events of all callers of a process, in groups. */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #keyed = new GroupQueue(true);
  readonly #plain = new GroupQueue(false);
  readonly #leaders = new KeyLeaders();
  readonly #fanOuts = new FanOuts();
  readonly #waitingBytes: ByteBudget;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
    this.#waitingBytes = new ByteBudget(options.waitingBytes ?? defaultWaitingBytes);
  }

  /**
   * Stores an event.
   * @param signal its `aborted` drops the event while it waits
   * @returns the event, a DomainError, or an error of PostgreSQL. After an error for which {@link isUnavailable} is
   *   true, the event may be stored or not.
   */
  store(event: PreparedEvent, signal: AbortState | undefined): Promise<Published | Error> {
    const { accountId } = event;
    const bytes = event.body.length;
    const reserved = bytes + overheadBytes;
    if (!this.#waitingBytes.reserve(accountId, reserved)) {
      return Promise.resolve(new SemaphoreRejected('Too many events wait to be published.'));
    }

    return new Promise((resolve) => {
      this.#enqueue({
        accountId,
        bytes,
        event,
        signal,
        resolve: (result) => {
          this.#waitingBytes.release(accountId, reserved);
          resolve(result);
        },
        followers: [],
        fanOut: this.#fanOuts.of(event),
        tries: 0,
      });
    });
  }

  #enqueue(item: QueuedEvent): void {
    const queue = this.#queueOf(item);
    queue.waiting.add(item);
    if (!queue.busy) void this.#run(queue);
  }

  #queueOf({ event }: QueuedEvent): GroupQueue {
    return event.key ? this.#keyed : this.#plain;
  }

  async #run(queue: GroupQueue): Promise<void> {
    queue.busy = true;
    // The pause lets the other events of the same request join.
    await Promise.resolve();

    for (let wasIdle = true; ; wasIdle = false) {
      const group = queue.take((item) => this.#joins(item));
      if (group.length === 0) break;
      if (wasIdle && group.length === 1) await this.#sendLone(queue, group);
      else await this.#send(queue, group);
    }
    queue.busy = false;
  }

  /** Whether the event joins the group. It does not if its caller left, or if its key is in flight. */
  #joins(item: QueuedEvent): boolean {
    if (item.signal?.aborted) {
      this.#finish(item, new TransactionAborted());
      return false;
    }
    return this.#leaders.leadOrFollow(item);
  }

  /** Commits and notifies workers in one round trip in place of two. */
  #sendLone(queue: GroupQueue, group: readonly QueuedEvent[]): Promise<void> {
    return this.#send(queue, group, keyWaitMs, channelOf('due'));
  }

  async #send(
    queue: GroupQueue,
    group: readonly QueuedEvent[],
    lockTimeoutMs = keyWaitMs,
    notify?: string,
  ): Promise<void> {
    const { clock, read } = this.#options;
    const options = { notify, ...(queue.keyed && { lockTimeoutMs }) };
    const events = group.map(({ event }) => event);
    const committed = this.#options.committing?.(events);

    let answer: StoreAnswer;
    try {
      answer = await clock.corrected(() => storeEvents(read, events, options));
    } catch (error) {
      if (isTimeout(error)) queue.learnFromTimeout(group);
      await this.#recover(queue, group, error as Error);
      return;
    }

    committed?.(answer.results);
    queue.learnFromAnswer(group, answer);
    this.#resolveAll(group, answer);
  }

  async #recover(queue: GroupQueue, group: readonly QueuedEvent[], error: Error): Promise<void> {
    switch (recoveryOf(error, group.length, queue.keyed)) {
      case 'halve':
        for (const half of halvesOf(group)) await this.#send(queue, half, keyWaitOfHalvesMs);
        break;
      case 'resend':
        this.#retry(group, error);
        break;
      case 'wait':
        for (const item of group) void this.#waitForKey(item);
        break;
      case 'fail':
        for (const item of group) this.#finish(item, error);
    }
  }

  /** Stores an event by itself, and waits for locks as long as the settings of the connection allow. */
  async #waitForKey(item: QueuedEvent): Promise<void> {
    let answer: StoreAnswer;
    try {
      answer = await storeEvents(this.#options.keyWait, [item.event]);
    } catch (error) {
      if (isConflict(error)) this.#retry([item], error as Error);
      else this.#finish(item, error as Error);
      return;
    }
    this.#resolveAll([item], answer);
  }

  #resolveAll(group: readonly QueuedEvent[], answer: StoreAnswer): void {
    this.#options.accepted(answer.stored);
    if (answer.pendingDeliveries > 0) {
      const { signalled, subjects } = answer;
      this.#options.wake([
        { kind: 'due', ...(signalled && { signalled }), ...(subjects && { subjects }) },
      ]);
    }

    const unresolved: QueuedEvent[] = [];
    for (const [place, item] of group.entries()) {
      const result = answer.results[place] ?? 'unresolved';
      if (result === 'unresolved') unresolved.push(item);
      else this.#finish(item, result);
    }
    this.#retry(unresolved, keyUnresolved());
  }

  #finish(item: QueuedEvent, result: Published | Error): void {
    this.#leaders.release(item);
    item.resolve(result);
    for (const follower of item.followers.splice(0)) {
      const followerResult = resultOfFollower(item.event, follower.event, result);
      if (followerResult) this.#finish(follower, followerResult);
      else {
        this.#leaders.release(follower);
        this.#enqueue(follower);
      }
    }
  }

  /**
   * Sends events again, before those of their accounts that came later.
   * @param failure their result after their last try
   */
  #retry(items: readonly QueuedEvent[], failure: Error): void {
    const again: QueuedEvent[] = [];
    for (const item of items) {
      if ((item.tries += 1) < maxTries) again.push(item);
      else this.#finish(item, failure);
    }

    const [first] = again;
    if (!first) return;
    for (const item of again) this.#leaders.release(item);
    const queue = this.#queueOf(first);
    queue.waiting.addFirst(again);
    if (!queue.busy) void this.#run(queue);
  }
}

/** A group waits this long for keys that another transaction holds: as long as most commits take. */
const keyWaitMs = 25;

/** The halves of a group wait this long, so that one held key delays the other events by milliseconds. */
const keyWaitOfHalvesMs = 1;

/** An event that waits for its group, or for the answer of PostgreSQL. */
interface QueuedEvent {
  readonly accountId: string;
  /** The size of its body. */
  readonly bytes: number;
  readonly event: PreparedEvent;
  /** Aborted when the caller leaves; the event is then dropped. */
  readonly signal: AbortState | undefined;
  /** Gets the result. It is called once. */
  readonly resolve: (result: Published | Error) => void;
  /** Later events with the same key, which get their results with this one's. */
  readonly followers: QueuedEvent[];
  readonly fanOut: FanOut;
  tries: number;
}

/** The event of each key that is in flight. */
class KeyLeaders {
  readonly #leaders = new Map<string, QueuedEvent>();

  /** Makes the event the leader of its key, or a follower of the one in flight. Returns whether it leads. */
  leadOrFollow(item: QueuedEvent): boolean {
    const name = nameOfKey(item.event);
    if (name === undefined) return true;
    const leader = this.#leaders.get(name);
    if (leader) leader.followers.push(item);
    else this.#leaders.set(name, item);
    return !leader;
  }

  /** Lets the next event of its key be sent. */
  release(item: QueuedEvent): void {
    const name = nameOfKey(item.event);
    if (name !== undefined && this.#leaders.get(name) === item) this.#leaders.delete(name);
  }
}

/**
 * Returns the result of an event that waited for `leader`, which has the same key. Undefined if the
 * event must be sent itself.
 */
export function resultOfFollower<Failure extends Error>(
  leader: PreparedEvent,
  follower: PreparedEvent,
  result: Published | Failure,
): Published | Failure | DomainError | undefined {
  const same = leader.key?.fingerprint === follower.key?.fingerprint;
  if (!(result instanceof Error)) return same ? { ...result, created: false } : keyConflict();
  if (result instanceof TransactionAborted || result instanceof SchemaOutdated) return undefined;
  return same || isUnavailable(result) ? result : undefined;
}

/** The largest group, in events and in bytes of their bodies. */
const largestGroup = { events: 250, bytes: 1_048_576 } as const;

/** The events of which one group after the other is sent. */
class GroupQueue {
  readonly keyed: boolean;
  readonly waiting = new WaitingEvents<QueuedEvent>();
  busy = false;
  /** How many events the next group may have. */
  #size: number = largestGroup.events;

  constructor(keyed: boolean) {
    this.keyed = keyed;
  }

  /**
   * Removes the next group from the queue.
   * @param joins says whether an event joins the group; one that does not is removed, too
   */
  take(joins: (item: QueuedEvent) => boolean): QueuedEvent[] {
    return this.waiting.take(
      { events: this.#size, bytes: largestGroup.bytes, room: new GroupRoom() },
      joins,
    );
  }

  /** Learns how large the next groups may be from one that was stored. */
  learnFromAnswer(group: readonly QueuedEvent[], answer: StoreAnswer): void {
    this.#size = nextGroupSize(this.#size, group.length, answer.fanOut);
    const stored = group.filter((_item, place) => isStored(answer.results[place]));
    // What an account's events cost without filters says nothing once it has some.
    for (const [place, { accountId, fanOut }] of group.entries())
      if (answer.results[place] === 'unresolved' && isFiltering(accountId))
        fanOut.perEvent = undefined;

    const [lone] = group.length === 1 ? stored : [];
    if (lone) lone.fanOut.perEvent = answer.fanOut;
    else learnFanOuts(fanOutsOf(stored), answer);
  }

  /** Makes the next groups smaller after PostgreSQL cancelled one. */
  learnFromTimeout(group: readonly QueuedEvent[]): void {
    this.#size = groupSizeAfterTimeout(group.length);
    resetFanOuts(fanOutsOf(group));
  }
}

function fanOutsOf(group: readonly QueuedEvent[]): FanOut[] {
  return group.map(({ fanOut }) => fanOut);
}

/** What a group takes of the events that wait. */
interface GroupLimits {
  readonly events: number;
  readonly bytes: number;
  /** Says whether another event fits. The first one always does. */
  readonly room: GroupRoom;
}

/**
 * Events that wait for the next group. Accounts take turns, and each account's events keep their
 * order.
 */
export class WaitingEvents<
  Item extends { readonly accountId: string; readonly bytes: number; readonly fanOut: FanOut },
> {
  /** By account, in the order of their turns. */
  readonly #accounts = new Map<string, Set<Item>>();

  add(item: Item): void {
    const waiting = this.#accounts.get(item.accountId);
    if (waiting) waiting.add(item);
    else this.#accounts.set(item.accountId, new Set([item]));
  }

  /** Adds items before those of their accounts that wait. */
  addFirst(items: readonly Item[]): void {
    for (const account of new Set(items.map(({ accountId }) => accountId))) {
      const first = items.filter(({ accountId }) => accountId === account);
      this.#accounts.set(account, new Set([...first, ...(this.#accounts.get(account) ?? [])]));
    }
  }

  /**
   * Removes the next group: one event of each account, then another one of each.
   * @param joins says whether an event joins the group; one that does not is removed, too
   */
  take({ events, bytes, room }: GroupLimits, joins: (item: Item) => boolean): Item[] {
    const group: Item[] = [];
    let remaining = bytes;

    // An account with more events moves to the end of the Map, and the loop comes to it again.
    for (const [account, waiting] of this.#accounts) {
      const [item] = waiting;
      if (!item || group.length === events) break;
      if (group.length > 0 && (item.bytes > remaining || !room.fits(item.fanOut, account))) break;

      waiting.delete(item);
      this.#accounts.delete(account);
      if (waiting.size > 0) this.#accounts.set(account, waiting);

      if (!joins(item)) continue;

      group.push(item);
      room.add(item.fanOut, account);
      remaining -= item.bytes;
    }

    return group;
  }
}

/** A group should make at most this many pending deliveries, so that it commits within 0.2 s. */
const targetPendingDeliveries = 10_000;

/**
 * How many events the next group may have, after one of `events` events. It shrinks when several
 * events made more pending deliveries than expected, and grows again.
 * @param limit the previous limit
 */
export function nextGroupSize(limit: number, events: number, fanOut: number): number {
  const larger = Math.min(largestGroup.events, 2 * limit);
  if (events === 1 || fanOut <= targetPendingDeliveries) return larger;
  return Math.max(1, Math.floor((targetPendingDeliveries * events) / fanOut));
}

/** How many events the next group may have, after PostgreSQL cancelled one of `events` events. */
export function groupSizeAfterTimeout(events: number): number {
  return Math.max(1, Math.floor(events / 2));
}

/** A group of the largest size has room for its events if each makes at most this many pending deliveries. */
const fewPerEvent = unknownFanOut.perEvent;

const maxRemembered = 10_000;

/** How many pending deliveries an event of one account and type makes. */
export interface FanOut {
  /** The key under which the statement reports it. */
  readonly name: string;
  /** Undefined until a group has shown how many it makes. */
  perEvent: number | undefined;
}

/** Remembers the fan-outs that were used last. */
export class FanOuts {
  readonly #byName = new Lru<FanOut>(maxRemembered);

  of({ accountId, type }: { readonly accountId: string; readonly type: string }): FanOut {
    const name = `${accountId} ${type}`;
    const remembered = this.#byName.get(name);
    if (remembered) return remembered;
    const fanOut = { name, perEvent: undefined };
    this.#byName.set(name, fanOut);
    return fanOut;
  }
}

/** Counts the pending deliveries that the events of a group make. */
export class GroupRoom {
  #pendingDeliveries = 0;
  readonly #unknown = new Map<FanOut, number>();

  /** Whether another event of an account fits. */
  fits(fanOut: FanOut, account: string): boolean {
    if (this.#pendingDeliveries + expectedOf(fanOut, account) > targetPendingDeliveries)
      return false;
    return fanOut.perEvent !== undefined || (this.#unknown.get(fanOut) ?? 0) < unknownFanOut.events;
  }

  add(fanOut: FanOut, account: string): void {
    this.#pendingDeliveries += expectedOf(fanOut, account);
    if (fanOut.perEvent === undefined) {
      this.#unknown.set(fanOut, (this.#unknown.get(fanOut) ?? 0) + 1);
    }
  }
}

/** How many pending deliveries an event counts as. A thousand filters can take as long as a whole group. */
function expectedOf({ perEvent }: FanOut, account: string): number {
  return perEvent ?? (isFiltering(account) ? targetPendingDeliveries : fewPerEvent);
}

/**
 * Learns from a group how many pending deliveries the events of its accounts and types make.
 * @param stored the fan-out of each event that was stored
 */
export function learnFanOuts(
  stored: readonly FanOut[],
  { fanOut: total, named }: GroupFanOut,
): void {
  const events = new Map<FanOut, number>();
  for (const fanOut of stored) {
    // A small total does not change fan-outs that are small already. This is the common case, so it is skipped.
    if (named === null && makesFew(fanOut)) continue;
    events.set(fanOut, (events.get(fanOut) ?? 0) + 1);
  }

  for (const [fanOut, count] of events) {
    const perEvent = (named ? (named[fanOut.name] ?? 0) : total) / count;
    // Without names, the total is the most that each event can have made.
    if (named || perEvent <= (fanOut.perEvent ?? fewPerEvent)) fanOut.perEvent = perEvent;
  }
}

/** Resets the fan-outs of a group that took too long. Types that were unknown or large are then sent alone. */
export function resetFanOuts(group: readonly FanOut[]): void {
  const few = new Set(group.filter(makesFew));
  for (const fanOut of group) {
    fanOut.perEvent = few.has(fanOut) ? undefined : targetPendingDeliveries;
  }
}

function makesFew({ perEvent }: FanOut): boolean {
  return perEvent !== undefined && perEvent <= fewPerEvent;
}

/**
 * What follows the failure of a group:
 * - `halve`: PostgreSQL refused a value of one event; send each half;
 * - `resend`: PostgreSQL cancelled the group or ended a deadlock by it, and stored nothing; send its events again,
 *   after a timeout in smaller groups;
 * - `wait`: another transaction holds a lock, such as the key of the event; wait for it outside the
 *   queue, each event by itself;
 * - `fail`: nothing was stored, or it is unknown whether it was.
 */
type Recovery = 'halve' | 'resend' | 'wait' | 'fail';

/** SQLSTATE classes of a value that PostgreSQL refuses: data, constraints, program limits. */
const refusedPattern = /^(?:22|23|54)/;
const lockNotAvailable = '55P03';

/**
 * Decides what follows when a group of `events` events fails with `error`.
 * @param keyed whether they have keys; the others wait for locks as long as the connection allows
 */
export function recoveryOf(error: unknown, events: number, keyed: boolean): Recovery {
  const { code, where } = (error ?? {}) as { readonly code?: unknown; readonly where?: unknown };
  if (typeof code !== 'string') return 'fail';

  if (code === lockNotAvailable) {
    if (!keyed) return 'fail';
    // Another lock, such as that of commits that notify or of a table, is not caused by one event.
    const waitedForKey = typeof where === 'string' && where.includes('publish_key');
    return waitedForKey && events > 1 ? 'halve' : 'wait';
  }

  if (isConflict(error)) return 'resend';
  if (events === 1) return 'fail';
  if (isTimeout(error)) return 'resend';

  return refusedPattern.test(code) ? 'halve' : 'fail';
}

function halvesOf<Item>(group: readonly Item[]): [Item[], Item[]] {
  const middle = Math.ceil(group.length / 2);
  return [group.slice(0, middle), group.slice(middle)];
}

/** Whether PostgreSQL cancelled a statement that took too long. */
function isTimeout(error: unknown): boolean {
  return (error as { readonly code?: unknown } | null)?.code === '57014';
}

const mebibyte = 1_048_576;

const defaultWaitingBytes: ByteLimits = {
  total: 16 * mebibyte,
  perAccount: 12 * mebibyte,
  reserve: { total: 8 * mebibyte, perAccount: mebibyte },
};

/** How many bytes a waiting event takes in addition to its body. */
const overheadBytes = 1_024;

/** How many bytes of events may wait. */
interface ByteLimits {
  readonly total: number;
  readonly perAccount: number;
  /** Room that only accounts with at most its `perAccount` bytes waiting can use, so that others cannot fill it. */
  readonly reserve: Omit<ByteLimits, 'reserve'>;
}

/** Counts the bytes that wait, in total and per account. */
export class ByteBudget {
  readonly #limits: ByteLimits;
  readonly #accounts = new Map<string, number>();
  #total = 0;

  constructor(limits: ByteLimits) {
    this.#limits = limits;
  }

  /** The bytes that wait now. */
  get total(): number {
    return this.#total;
  }

  /** Counts `bytes` of an account. Returns false, and counts nothing, if they exceed a limit. */
  reserve(account: string, bytes: number): boolean {
    const { total, perAccount, reserve } = this.#limits;
    const ofAccount = (this.#accounts.get(account) ?? 0) + bytes;
    const limit = ofAccount > reserve.perAccount ? total : total + reserve.total;
    if (ofAccount > perAccount || this.#total + bytes > limit) return false;
    this.#accounts.set(account, ofAccount);
    this.#total += bytes;
    return true;
  }

  release(account: string, bytes: number): void {
    const ofAccount = (this.#accounts.get(account) ?? 0) - bytes;
    if (ofAccount > 0) this.#accounts.set(account, ofAccount);
    else this.#accounts.delete(account);
    this.#total -= bytes;
  }
}
