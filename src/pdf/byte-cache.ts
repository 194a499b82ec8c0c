/** Results by key, the least recently used dropped when all together exceed a number of bytes. */
export class ByteCache {
  readonly #maxBytes: number;
  readonly #entries = new Map<string, Buffer>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The entry, which is the most recently used one from now on. */
  get(key: string): Buffer | undefined {
    const bytes = this.#entries.get(key);
    if (bytes) {
      this.#entries.delete(key);
      this.#entries.set(key, bytes);
    }
    return bytes;
  }

  /** Adds an entry that is not there yet. */
  set(key: string, bytes: Buffer): void {
    this.#entries.set(key, bytes);
    this.#bytes += bytes.length;
    for (const [oldest, dropped] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#entries.delete(oldest);
      this.#bytes -= dropped.length;
    }
  }
}
