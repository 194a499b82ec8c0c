/** How many items may wait. */
export interface QueueLimits {
  readonly perAccount: number;
  readonly total: number;
}

/**
 * Waiting work by account. Accounts take turns; each account's items run in order of arrival. When
 * the queue is full, the account with the most items loses its last one to an account with fewer.
 */
export class FairQueue<Item> {
  readonly #limits: QueueLimits;
  /** Accounts in the order of their turns; only those with waiting items. */
  readonly #accounts = new Map<string, Item[]>();
  #size = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /**
   * Adds an item.
   * @returns the item that finds no place: this one, or one of another account
   */
  add(account: string, item: Item): Item | undefined {
    const waiting = this.#accounts.get(account) ?? [];
    if (waiting.length >= this.#limits.perAccount) return item;

    let displaced: Item | undefined;

    if (this.#size >= this.#limits.total) {
      const longest = this.#longest();
      if (longest.length <= waiting.length + 1) return item;
      displaced = longest.pop();
      this.#size -= 1;
    }

    waiting.push(item);
    this.#accounts.set(account, waiting);
    this.#size += 1;

    return displaced;
  }

  /** Takes the first item of the account whose turn it is. */
  next(): Item | undefined {
    const [nextAccount] = this.#accounts;
    if (!nextAccount) return undefined;
    const [account, waiting] = nextAccount;
    const item = waiting.shift();
    this.#size -= 1;
    this.#accounts.delete(account);
    if (waiting.length > 0) this.#accounts.set(account, waiting);
    return item;
  }

  #longest(): Item[] {
    return [...this.#accounts.values()].reduce((one, other) =>
      other.length > one.length ? other : one,
    );
  }
}
