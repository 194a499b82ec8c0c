import type { ServerResponse } from 'node:http';
import { isGone, whenGone } from './when-gone.js';

/** Streams of one account at this process, at most. */
export const streamsPerAccount = 20;

/** Counts the streams of each account. */
export class StreamSlots {
  readonly #taken = new Map<string, number>();

  /**
   * Takes a slot until the response closes; a client that has gone takes none.
   * @returns false when all slots of the account are taken
   */
  acquire(account: string, response: ServerResponse): boolean {
    if (isGone(response)) return true;
    const count = this.#taken.get(account) ?? 0;
    if (count >= streamsPerAccount) return false;
    this.#taken.set(account, count + 1);
    whenGone(response, () => this.#release(account));
    return true;
  }

  #release(account: string): void {
    const left = (this.#taken.get(account) ?? 1) - 1;
    if (left === 0) this.#taken.delete(account);
    else this.#taken.set(account, left);
  }
}
