import type { Waiting } from './group-queue.js';
import { nameOfKey } from './prepare-event.js';

/** The event of each key that is in flight. */
export class KeyLeaders {
  readonly #leaders = new Map<string, Waiting>();

  /** Whether no other event of its key is in flight. If one is, the event gets its result with that one's. */
  admit(item: Waiting): boolean {
    const name = nameOfKey(item.event);
    if (name === undefined) return true;
    const leader = this.#leaders.get(name);
    if (leader) leader.followers.push(item);
    else this.#leaders.set(name, item);
    return !leader;
  }

  /** Lets the next event of its key be sent. */
  release(item: Waiting): void {
    const name = nameOfKey(item.event);
    if (name !== undefined && this.#leaders.get(name) === item) this.#leaders.delete(name);
  }
}
