import type { AbortState } from '../tx.js';
import { largestGroup } from './group-rules.js';
import type { PreparedEvent } from './prepare-event.js';
import type { Published } from './store-events.js';
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
