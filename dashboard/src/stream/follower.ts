import type { Frame, ReadStream, StreamEvents, StreamPlace } from './live-stream.js';

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
