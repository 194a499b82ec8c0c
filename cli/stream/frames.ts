import { Failure } from '../failure.js';

/** One server-sent event. */
export interface Frame {
  /** The position behind it; undefined for a frame without one. */
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

/** Returns the JSON of a frame. @throws Failure when it is none */
export function jsonOf({ event, data }: Frame): unknown {
  try {
    return JSON.parse(data);
  } catch (error) {
    const text = `The stream sent a frame "${event}" that is no JSON.`;
    throw new Failure(text, undefined, { cause: error });
  }
}

/** More characters than a frame of the service has. */
const largestFrame = 4 * 1_048_576;

/** Reads frames from pieces of text, which may end anywhere. */
export class FrameReader {
  #rest = '';
  #id: string | undefined;
  #event = 'message';
  #data: string[] = [];
  #size = 0;

  /** Returns the frames that `text` completes. @throws Error for a frame that is too large */
  read(text: string): Frame[] {
    const frames: Frame[] = [];
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    this.#size += text.length;
    for (const line of lines) {
      if (line !== '') this.#field(line);
      else frames.push(...this.#end());
    }
    if (this.#size > largestFrame) throw new Error('a frame of the stream is too large');
    return frames;
  }

  #field(line: string): void {
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'id') this.#id = value;
    else if (name === 'event') this.#event = value;
    else if (name === 'data') this.#data.push(value);
  }

  #end(): Frame[] {
    const frame = { id: this.#id, event: this.#event, data: this.#data.join('\n') };
    const complete = this.#data.length > 0;
    this.#id = undefined;
    this.#event = 'message';
    this.#data = [];
    this.#size = this.#rest.length;
    return complete ? [frame] : [];
  }
}
