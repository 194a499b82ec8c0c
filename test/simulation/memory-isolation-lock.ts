/** The isolation lock in memory, as `isolation-lock.ts` keeps it in PostgreSQL. */
export class MemoryIsolationLock {
  readonly #now: () => number;
  #holder: string | undefined;
  #until = -Infinity;

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  acquire(holder: string, lockMs: number): boolean {
    if (this.#now() < this.#until && this.#holder !== holder) return false;
    this.#holder = holder;
    this.#until = this.#now() + lockMs;
    return true;
  }

  release(holder: string, cooldownMs: number): void {
    if (this.#holder !== holder) return;
    this.#holder = undefined;
    this.#until = this.#now() + Math.ceil(cooldownMs);
  }
}
