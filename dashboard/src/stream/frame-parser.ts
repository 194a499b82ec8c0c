/** A server-sent event. */
export interface Frame {
  /** The position behind it. */
  readonly id?: string;
  readonly event: string;
  readonly data: string;
}

/** Reads server-sent events from pieces of text, however the network cut them. */
export class FrameParser {
  #rest = '';
  #id: string | undefined;
  #event = '';
  #data: string[] = [];

  /** The frames that the piece completes. */
  read(piece: string): readonly Frame[] {
    const frames: Frame[] = [];
    const lines = (this.#rest + piece).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line !== '') this.#field(line);
      else if (this.#event !== '' || this.#data.length > 0) frames.push(this.#take());
    }
    return frames;
  }

  #field(line: string): void {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'id') this.#id = value;
    else if (name === 'event') this.#event = value;
    else if (name === 'data') this.#data.push(value);
  }

  #take(): Frame {
    const frame = {
      event: this.#event || 'message',
      data: this.#data.join('\n'),
      ...(this.#id !== undefined && { id: this.#id }),
    };
    this.#event = '';
    this.#data = [];
    return frame;
  }
}
