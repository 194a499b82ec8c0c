/** An event that waits for its group. */
export interface WaitingEvent {
  readonly accountId: string;
  /** Of its body. */
  readonly bytes: number;
}

/** The largest group. */
export interface GroupLimits<Item> {
  readonly events: number;
  readonly bytes: number;
  /** Whether another event fits. The first one always does. */
  readonly fits: (item: Item) => boolean;
}

/**
 * Events that wait for the next group. Accounts take turns, and each account's events keep their
 * order.
 */
export class WaitingEvents<Item extends WaitingEvent> {
  /** By account, in the order of their turns. */
  readonly #accounts = new Map<string, Set<Item>>();

  add(item: Item): void {
    const waiting = this.#accounts.get(item.accountId);
    if (waiting) waiting.add(item);
    else this.#accounts.set(item.accountId, new Set([item]));
  }

  /**
   * Removes the next group: one event of each account, then another one of each.
   * @param admit says whether an event joins the group; one that does not is removed, too
   */
  take({ events, bytes, fits }: GroupLimits<Item>, admit: (item: Item) => boolean): Item[] {
    const group: Item[] = [];
    let remaining = bytes;
    // An account with more events moves to the end of the Map, and the loop comes to it again.
    for (const [account, waiting] of this.#accounts) {
      const [item] = waiting;
      if (!item || group.length === events) break;
      if (group.length > 0 && (item.bytes > remaining || !fits(item))) break;
      waiting.delete(item);
      this.#accounts.delete(account);
      if (waiting.size > 0) this.#accounts.set(account, waiting);
      if (!admit(item)) continue;
      group.push(item);
      remaining -= item.bytes;
    }
    return group;
  }
}
