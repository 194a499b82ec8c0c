import type { Frame } from './frame-parser.js';
import type { ReadStream, StreamEvents, StreamPlace } from './stream-events.js';

/** What the tabs that share a stream send each other. */
export type StreamMessage =
  /** A tab that follows asks where the leader is. */
  | { readonly kind: 'join' }
  /** The leader was at `after` and is now at `position`; a frame lies between, or nothing. */
  | {
      readonly kind: 'live';
      readonly after: string | undefined;
      readonly position: string | undefined;
      readonly frame?: Frame;
    }
  /** The leader is not connected. */
  | { readonly kind: 'lost'; readonly detail: string | undefined };

/**
 * Takes the frames of the tab that reads the stream. Each message names the position before it: a tab
 * that is at another one reads by itself what it lacks, and stops once it has caught up.
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

  /** Ends a catch-up; its place says how far it came. */
  stop(): void {
    this.#catchingUp?.abort();
    this.#catchingUp = undefined;
  }

  #follow({ after, position, frame }: StreamMessage & { kind: 'live' }): void {
    const reached = this.#catchingUp ? this.#ahead : this.#place.position;
    if (reached !== undefined && reached !== after) this.#catchUp();
    else if (reached === undefined || !this.#isOpen) {
      this.#isOpen = true;
      // After a reset it has begun before, and no position leads from there to here.
      this.#events.onOpen(reached === undefined && this.#begun);
    }
    this.#begun = true;
    if (this.#catchingUp) this.#ahead = position;
    else this.#place.position = position;
    if (frame) this.#events.onFrame(frame);
  }

  /** Frames of the leader go on meanwhile: the list shows each delivery once. */
  #catchUp(): void {
    this.stop();
    const catchingUp = new AbortController();
    this.#catchingUp = catchingUp;
    const { signal } = catchingUp;
    const own: StreamPlace = { position: this.#place.position };
    const events: StreamEvents = {
      onFrame: (frame) => {
        // More frames can lie in the piece that ended the catch-up. The leader sends them too.
        if (signal.aborted) return;
        this.#place.position = own.position;
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
    void this.#read(own, events, signal);
  }
}
