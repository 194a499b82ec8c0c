/** The turn to run chains alone, as `alone-turn.ts` keeps it in PostgreSQL. */
export class MemoryTurn {
  readonly #now: () => number;
  #holder: string | undefined;
  #until = -Infinity;

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  take(holder: string, longestMs: number): boolean {
    if (this.#now() < this.#until && this.#holder !== holder) return false;
    this.#holder = holder;
    this.#until = this.#now() + longestMs;
    return true;
  }

  end(holder: string, restMs: number): void {
    if (this.#holder !== holder) return;
    this.#holder = undefined;
    this.#until = this.#now() + Math.ceil(restMs);
  }
}
