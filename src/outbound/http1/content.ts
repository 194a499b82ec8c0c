/** Gets content of a body as it arrives. It must copy what it keeps: the next bytes overwrite these. */
export type ContentSink = (bytes: Buffer) => void;

/** The smallest buffer, in bytes: bodies of many receivers are no longer. */
const smallestBuffer = 64;

/**
 * The first bytes of a body. Its memory is `limit` bytes at most, in however many pieces they
 * arrive, and little for a short body.
 */
export class ContentStart {
  readonly #limit: number;
  #kept: Buffer | undefined;
  #length = 0;
  #truncated = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether more bytes came than are kept. */
  get truncated(): boolean {
    return this.#truncated;
  }

  get bytes(): Buffer {
    return this.#kept?.subarray(0, this.#length) ?? Buffer.alloc(0);
  }

  add(bytes: Buffer): void {
    if (bytes.length === 0) return;
    const kept = this.#withRoomFor(bytes.length);
    const copied = bytes.copy(kept, this.#length);
    this.#length += copied;
    this.#truncated ||= copied < bytes.length;
  }

  #withRoomFor(bytes: number): Buffer {
    const kept = this.#kept;
    const needed = Math.min(this.#length + bytes, this.#limit);
    if (kept && needed <= kept.length) return kept;

    const size = Math.max(needed, smallestBuffer, 2 * this.#length);
    const larger = Buffer.allocUnsafe(Math.min(size, this.#limit));
    kept?.copy(larger, 0, 0, this.#length);
    this.#kept = larger;
    return larger;
  }
}
