/** SQLSTATEs of a full disk, of a failing one, and of a server that only reads. */
const refusals = /^(?:53100|58030|25006)$/;
const rememberedMs = 60_000;

/** PostgreSQL answers, but has recently refused to write. */
export class WritesRefused extends Error {
  override readonly name = 'WritesRefused';
}

/**
 * What PostgreSQL refused to write. It answers reads meanwhile, so a ping does not show it, and neither
 * does a small write: a full disk still takes rows that fit into a page that is there.
 */
export class WriteRefusals {
  readonly #clock: () => number;
  #total = 0;
  #lastAtMs = -Infinity;

  /** @param clock milliseconds, monotonic. Defaults to `performance.now` */
  constructor(clock = () => performance.now()) {
    this.#clock = clock;
  }

  /** Statements that were refused since the start. */
  get total(): number {
    return this.#total;
  }

  /** Takes the SQLSTATE of an error that PostgreSQL sent. */
  observe(sqlState: string): void {
    if (!refusals.test(sqlState)) return;
    this.#total += 1;
    this.#lastAtMs = this.#clock();
  }

  /** Rejects with WritesRefused if a statement was refused within the last minute. */
  check(): Promise<void> {
    if (this.#clock() - this.#lastAtMs >= rememberedMs) return Promise.resolve();
    return Promise.reject(new WritesRefused('PostgreSQL refused a write within the last minute.'));
  }
}
