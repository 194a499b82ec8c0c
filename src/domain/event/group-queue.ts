import type { AbortState } from '../tx.js';
import { distrustFanOuts, type FanOut, GroupRoom, learnFanOuts } from './fan-out.js';
import { groupSizeAfterTimeout, largestGroup, nextGroupSize } from './group-rules.js';
import type { PreparedEvent } from './prepare-event.js';
import { isStored, type Published, type StoreAnswer } from './store-events.js';
import { WaitingEvents } from './waiting-events.js';

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

/** One that waits for its group, or for the answer of PostgreSQL. */
export interface Waiting extends Publication {
  /** Later events with the same key, which get their results with this one's. */
  readonly followers: Waiting[];
  readonly fanOut: FanOut;
  tries: number;
}

/** Sends one group after the other. */
export interface GroupQueue {
  readonly keyed: boolean;
  readonly waiting: WaitingEvents<Waiting>;
  busy: boolean;
  /** How many events the next group may have. */
  size: number;
}

/** Makes a queue in which nothing waits. */
export function newGroupQueue(keyed: boolean): GroupQueue {
  return { keyed, waiting: new WaitingEvents(), busy: false, size: largestGroup.events };
}

/** Returns the events of a group, in its order. */
export function eventsOf(group: readonly Waiting[]): PreparedEvent[] {
  return group.map(({ event }) => event);
}

/**
 * Removes the next group from the queue.
 * @param admit says whether an event joins the group; one that does not is removed, too
 */
export function takeGroup(
  { waiting, size }: GroupQueue,
  admit: (item: Waiting) => boolean,
): Waiting[] {
  const room = new GroupRoom();
  const fits = ({ fanOut }: Waiting) => room.has(fanOut);
  return waiting.take({ events: size, bytes: largestGroup.bytes, fits }, (item) => {
    const joins = admit(item);
    if (joins) room.add(item.fanOut);
    return joins;
  });
}

/** Learns how large the next groups may be from one that was stored. */
export function learnFromAnswer(
  queue: GroupQueue,
  group: readonly Waiting[],
  answer: StoreAnswer,
): void {
  queue.size = nextGroupSize(queue.size, group.length, answer.pendingDeliveries);
  const stored = group.filter((_item, place) => isStored(answer.results[place]));
  const [lone] = group.length === 1 ? stored : [];
  if (lone) lone.fanOut.each = answer.pendingDeliveries;
  else learnFanOuts(fanOutsOf(stored), answer);
}

/** Makes the next groups smaller after PostgreSQL cancelled one. */
export function learnFromTimeout(queue: GroupQueue, group: readonly Waiting[]): void {
  queue.size = groupSizeAfterTimeout(group.length);
  distrustFanOuts(fanOutsOf(group));
}

function fanOutsOf(group: readonly Waiting[]): FanOut[] {
  return group.map(({ fanOut }) => fanOut);
}
