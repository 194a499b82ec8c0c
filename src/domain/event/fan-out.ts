import { Lru } from '../lru.js';

/** A group should make at most this many pending deliveries, so that it commits within 0.2 s. */
export const aimedPendingDeliveries = 10_000;

/** 250 events that make this many each fit into one group. */
const fewEach = 40;

/** While it is unknown how many they make, a group has at most this many events of a type and account. */
const maxUnknown = 10;

/**
 * Above this many pending deliveries the statement says how many each account and type has. Of fewer,
 * ten events of one account and type cannot make many.
 */
export const namedFrom = maxUnknown * fewEach;

const maxRemembered = 10_000;

/** How many pending deliveries an event of one account and type makes. */
export interface FanOut {
  /** As the statement names it. */
  readonly name: string;
  /** Undefined until a group has shown it. */
  each: number | undefined;
}

/** What a group that was stored shows. */
export interface GroupFanOut {
  readonly pendingDeliveries: number;
  /** Those of each account and type, by name; null for at most {@link namedFrom}, and of one event. */
  readonly named: Readonly<Record<string, number>> | null;
}

/** Remembers the fan-outs that were used last. */
export class FanOuts {
  readonly #remembered = new Lru<FanOut>(maxRemembered);

  of({ accountId, type }: { readonly accountId: string; readonly type: string }): FanOut {
    const name = `${accountId} ${type}`;
    const known = this.#remembered.get(name);
    if (known) return known;
    const fanOut = { name, each: undefined };
    this.#remembered.set(name, fanOut);
    return fanOut;
  }
}

/** Counts what the events of a group make. */
export class GroupRoom {
  #pendingDeliveries = 0;
  readonly #unknown = new Map<FanOut, number>();

  /** Whether another event fits. */
  has(fanOut: FanOut): boolean {
    if (this.#pendingDeliveries + (fanOut.each ?? fewEach) > aimedPendingDeliveries) return false;
    return fanOut.each !== undefined || (this.#unknown.get(fanOut) ?? 0) < maxUnknown;
  }

  add(fanOut: FanOut): void {
    this.#pendingDeliveries += fanOut.each ?? fewEach;
    if (fanOut.each === undefined) {
      this.#unknown.set(fanOut, (this.#unknown.get(fanOut) ?? 0) + 1);
    }
  }
}

/**
 * Learns from a group.
 * @param stored the fan-out of each event that was stored
 */
export function learnFanOuts(
  stored: readonly FanOut[],
  { pendingDeliveries, named }: GroupFanOut,
): void {
  const events = new Map<FanOut, number>();
  for (const fanOut of stored) {
    // A small total says nothing new of these. It is usual, and must cost nothing.
    if (named === null && makesFew(fanOut)) continue;
    events.set(fanOut, (events.get(fanOut) ?? 0) + 1);
  }
  for (const [fanOut, count] of events) {
    const each = (named ? (named[fanOut.name] ?? 0) : pendingDeliveries) / count;
    // Without names it is the most that each can make.
    if (named || each <= (fanOut.each ?? fewEach)) fanOut.each = each;
  }
}

/** After a group that took too long: trusts none of its fan-outs. The unknown ones go one at a time. */
export function distrustFanOuts(group: readonly FanOut[]): void {
  const few = new Set(group.filter(makesFew));
  for (const fanOut of group) fanOut.each = few.has(fanOut) ? undefined : aimedPendingDeliveries;
}

function makesFew({ each }: FanOut): boolean {
  return each !== undefined && each <= fewEach;
}
