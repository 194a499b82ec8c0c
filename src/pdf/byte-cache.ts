/** A cache of bytes by key. Above `maxBytes` it drops the least recently used entries. */
export class ByteCache {
  readonly #maxBytes: number;
  readonly #entries = new Map<string, Buffer>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Returns an entry and marks it as the most recently used. */
  get(key: string): Buffer | undefined {
    const bytes = this.#entries.get(key);
    if (bytes) {
      this.#entries.delete(key);
      this.#entries.set(key, bytes);
    }
    return bytes;
  }

  /** Adds a new entry; the key must not be present. */
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
