/** Gets content of a body as it arrives. It must copy what it keeps: the next bytes overwrite these. */
export type ContentSink = (bytes: Buffer) => void;

/** The first bytes of a body. Its memory is `limit` bytes, in however many pieces they arrive. */
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
    this.#kept ??= Buffer.allocUnsafe(this.#limit);
    const copied = bytes.copy(this.#kept, this.#length);
    this.#length += copied;
    this.#truncated ||= copied < bytes.length;
  }
}
