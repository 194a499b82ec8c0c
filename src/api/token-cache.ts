export interface TokenCacheOptions {
  readonly ttlMs: number;
  readonly maxEntries: number;
  /** Monotonic clock in milliseconds. Defaults to the process clock. */
  readonly now?: () => number;
}

/** What recent look-ups found, by token hash. When full, it drops the entry set longest ago. */
export class TokenCache<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly until: number }>();
  readonly #options: TokenCacheOptions;
  readonly #now: () => number;

  constructor(options: TokenCacheOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  get(hash: string): Value | undefined {
    const entry = this.#entries.get(hash);
    return entry !== undefined && this.#now() < entry.until ? entry.value : undefined;
  }

  set(hash: string, value: Value): void {
    const { ttlMs, maxEntries } = this.#options;
    this.#entries.delete(hash);
    this.#entries.set(hash, { value, until: this.#now() + ttlMs });
    if (this.#entries.size <= maxEntries) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  delete(hash: string): void {
    this.#entries.delete(hash);
  }
}
