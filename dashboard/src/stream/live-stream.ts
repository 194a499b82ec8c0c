/*
 * The live stream of deliveries, as a page reads it.
 *
 * `readStream` reads the stream of the service and resumes after each disconnect.
 * `shareStream` lets the tabs of a browser share one stream: one tab leads, the others are
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

/** What the tabs that share a stream send to each other. */
export type StreamMessage =
  /** A follower asks where the leader is. */
  | { readonly kind: 'join' }
  /** The leader was at `after` and is now at `position`, with at most one frame in between. */
  | {
      readonly kind: 'live';
      readonly after: string | undefined;
      readonly position: string | undefined;
      readonly frame?: Frame;
    }
  /** The leader is not connected. */
  | { readonly kind: 'lost'; readonly detail: string | undefined };

/**
 * Takes the frames of the leading tab. Each message names the position before it. A follower at another
 * position reads by itself what it lacks, until it has caught up.
 */
export class Follower {
  readonly #place: StreamPlace;
  readonly #events: StreamEvents;
  readonly #read: ReadStream;
  #isOpen = false;
  #begun = false;
  #catchingUp: AbortController | undefined;
  /** Where the leader is while this tab catches up. */
  #ahead: string | undefined;

  constructor(place: StreamPlace, events: StreamEvents, read: ReadStream) {
    this.#place = place;
    this.#events = events;
    this.#read = read;
  }

  take(message: StreamMessage): void {
    if (message.kind === 'live') this.#follow(message);
    else if (message.kind === 'lost') {
      this.#isOpen = false;
      this.#events.onLost(message.detail);
    }
  }

  /** Stops catching up; the place says how far it came. */
  stop(): void {
    this.#catchingUp?.abort();
    this.#catchingUp = undefined;
  }

  #follow({ after, position, frame }: StreamMessage & { kind: 'live' }): void {
    const reached = this.#catchingUp ? this.#ahead : this.#place.position;
    if (reached !== undefined && reached !== after) this.#catchUp();
    else if (reached === undefined || !this.#isOpen) {
      this.#isOpen = true;
      // After a reset no position leads from the frames before to those from now on.
      this.#events.onOpen(reached === undefined && this.#begun);
    }
    this.#begun = true;
    if (this.#catchingUp) this.#ahead = position;
    else this.#place.position = position;
    if (frame) this.#events.onFrame(frame);
  }

  /** Frames of the leader arrive meanwhile, too: the list shows each delivery once. */
  #catchUp(): void {
    this.stop();

    const catchingUp = new AbortController();
    this.#catchingUp = catchingUp;

    const { signal } = catchingUp;
    const place: StreamPlace = { position: this.#place.position };
    const events: StreamEvents = {
      onFrame: (frame) => {
        // The chunk that ended the catch-up may hold more frames. The leader sends them, too.
        if (signal.aborted) return;
        this.#place.position = place.position;
        this.#events.onFrame(frame);
        // The service sends a position as soon as nothing is missing.
        if (frame.event !== 'position') return;
        this.#place.position = this.#ahead;
        this.stop();
      },
      onOpen: (gap) => {
        this.#isOpen = true;
        this.#events.onOpen(gap);
      },
      onLost: (detail) => {
        this.#isOpen = false;
        this.#events.onLost(detail);
      },
    };
    void this.#read(place, events, signal);
  }
}
