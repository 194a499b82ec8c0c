interface Entry {
  readonly event: string;
  /** Behind the frame; undefined until the stream has given it. */
  position: string | undefined;
  handled: boolean;
}

/** Events that are handled at once and end in any order. The position moves on only behind the oldest. */
export class FramesInOrder {
  readonly #entries: Entry[] = [];
  #position: string | undefined;

  constructor(position: string | undefined) {
    this.#position = position;
  }

  /** The position behind which everything has been handled. */
  get position(): string | undefined {
    return this.#position;
  }

  /** The events behind the position that have begun. */
  get begun(): readonly string[] {
    return this.#entries.map(({ event }) => event);
  }

  /** @returns what to call when the event has been handled; it returns whether the position moved */
  begin(event: string): () => boolean {
    const entry: Entry = { event, position: undefined, handled: false };
    this.#entries.push(entry);
    return () => {
      const before = this.#position;
      entry.handled = true;
      this.#moveOn();
      return this.#position !== before;
    };
  }

  /** The position behind everything that has begun. */
  reach(position: string): void {
    const newest = this.#entries.at(-1);
    if (newest) newest.position = position;
    else this.#position = position;
    this.#moveOn();
  }

  /** The newest stays until its position is known: it would come again. */
  #moveOn(): void {
    for (let [oldest] = this.#entries; oldest?.handled; [oldest] = this.#entries) {
      if (oldest.position === undefined && this.#entries.length === 1) return;
      this.#position = oldest.position ?? this.#position;
      this.#entries.shift();
    }
  }
}
