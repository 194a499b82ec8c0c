/** How many may wait. */
export interface QueueLimits {
  readonly perAccount: number;
  readonly total: number;
}

/**
 * Work that waits, by account: accounts take turns, and each has its own first come, first served. An
 * account that has many waiting gives its last place to one that has none.
 */
export class FairQueue<Item> {
  readonly #limits: QueueLimits;
  /** In the order of their turns; an account without work is not here. */
  readonly #accounts = new Map<string, Item[]>();
  #size = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /**
   * Lets an item wait.
   * @returns the item that there is no place for: this one, or one of another account
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
