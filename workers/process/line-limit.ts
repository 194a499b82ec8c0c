import { type Clock, processClock } from './clock.js';

const everyMs = 60_000;
/** Bounds the memory and what is logged in a minute, whatever is wrong. */
const maxNames = 1_000;

/** Limits the log lines about things that stay wrong: one a minute for each thing, 1,000 in all. */
export class LineLimit {
  readonly #clock: Clock;
  /** When each name was last let through, the oldest first. */
  readonly #last = new Map<string, number>();

  /** @param clock defaults to the process clock */
  constructor(clock: Clock = processClock) {
    this.#clock = clock;
  }

  /** Says whether a line about `name` may be logged now, and counts it. */
  allows(name: string): boolean {
    const now = this.#clock.now();
    for (const [each, at] of this.#last) {
      if (now - at < everyMs) break;
      this.#last.delete(each);
    }
    if (this.#last.has(name) || this.#last.size >= maxNames) return false;
    this.#last.set(name, now);
    return true;
  }
}
