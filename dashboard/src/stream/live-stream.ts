/*
 * The live stream of deliveries, as a page reads it.
 *
 * `readStream` in stream-client.ts reads the stream of the service and resumes after each disconnect.
 * `shareStream` in shared-stream.ts lets the tabs of a browser share one stream: one tab leads, the others are
 * followers. A reader keeps its position, so it gets every delivery, and may get one twice: the list shows
 * each delivery once. When the leading tab closes or is silent, another one continues at its own position.
 */

/** A server-sent event. */
export interface Frame {
  /** The position after it. */
  readonly id?: string;
  readonly event: string;
  readonly data: string;
}

/** What a stream reports while it runs. */
export interface StreamEvents {
  readonly onFrame: (frame: Frame) => void;
  /** It is connected: changes arrive from now on. `gap` if frames since the last connection may be missing. */
  readonly onOpen: (gap: boolean) => void;
  /** It lost its connection, and reconnects by itself. `detail` is the message of the service. */
  readonly onLost: (detail: string | undefined) => void;
}

/** Where a reader is, so that it can resume there. */
export interface StreamPlace {
  position?: string | undefined;
}

/** Reads the stream from `place` until `signal` aborts, and keeps `place` up to date. */
export type ReadStream = (
  place: StreamPlace,
  events: StreamEvents,
  signal: AbortSignal,
) => Promise<void>;

/** Parses server-sent events from chunks of text, wherever the network cut them. */
export class FrameParser {
  #rest = '';
  #id: string | undefined;
  #event = '';
  #data: string[] = [];

  /** The frames that the chunk completes. */
  read(chunk: string): readonly Frame[] {
    const frames: Frame[] = [];
    const lines = (this.#rest + chunk).split(/\r\n|\n|\r(?!$)/);
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

const firstMs = 100;
const longestMs = 5_000;

/**
 * Milliseconds until the next attempt to connect: doubling up to 5 s, less a jitter of up to a half.
 * @param failures attempts since the last frame
 * @param random 0 to 1
 */
export function reconnectDelay(failures: number, random: number): number {
  const longest = Math.min(longestMs, firstMs * 2 ** failures);
  return longest - (longest / 2) * random;
}
