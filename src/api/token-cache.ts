import { Lru } from '../domain/lru.js';

export interface TokenCacheOptions {
  readonly ttlMs: number;
  readonly maxEntries: number;
  /** Monotonic clock in milliseconds. Defaults to the process clock. */
  readonly now?: () => number;
}

/** What recent look-ups found, by token hash. When full, it drops the entry used longest ago. */
export class TokenCache<Value> {
  readonly #entries: Lru<{ readonly value: Value; readonly until: number }>;
  readonly #ttlMs: number;
  readonly #now: () => number;

  constructor({ ttlMs, maxEntries, now }: TokenCacheOptions) {
    this.#entries = new Lru(maxEntries);
    this.#ttlMs = ttlMs;
    this.#now = now ?? (() => performance.now());
  }

  get(hash: string): Value | undefined {
    const entry = this.#entries.get(hash);
    return entry !== undefined && this.#now() < entry.until ? entry.value : undefined;
  }

  set(hash: string, value: Value): void {
    this.#entries.set(hash, { value, until: this.#now() + this.#ttlMs });
  }

  delete(hash: string): void {
    this.#entries.delete(hash);
  }
}
