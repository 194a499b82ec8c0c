import { Failure } from '../failure.js';
import { type Frame, jsonOf } from '../stream/frames.js';
import type { StreamedEvent } from './forward.js';
import { FramesInOrder } from './frames-in-order.js';
import type { ListenerState, PositionFile } from './position-file.js';
import { RecentEvents } from './recent-events.js';

/** How many events may wait behind the oldest that is handled, for each handled at once. */
const aheadOfOldest = 10;

/** What became of an event. */
export interface Handled {
  readonly event: StreamedEvent;
  /** Whether it may have been forwarded before. */
  readonly redelivered: boolean;
  /** The delivery that asked for it again. */
  readonly replay: string | undefined;
}

export interface ListenerOptions {
  readonly file: PositionFile;
  readonly saved: ListenerState | undefined;
  /** Whether events up to the saved time are sent again. */
  readonly rewound: boolean;
  /** How many events are handled at once. */
  readonly parallel: number;
  /** Whether an event comes before the first that was asked for. */
  readonly isEarlier: (event: StreamedEvent) => boolean;
  /** Forwards and prints one event. */
  readonly handle: (handled: Handled) => Promise<void>;
  readonly say: (text: string) => void;
}

interface Replay {
  readonly id: string;
  readonly event_id: string;
  readonly attempt: number;
  readonly replayed_from?: string;
}

/** Handles frames, at most `parallel` at once, and knows which events may have been forwarded before. */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #recent = new RecentEvents();
  readonly #frames: FramesInOrder;
  /** What was in flight when the previous process ended; each is marked once. */
  readonly #suspects: Set<string>;
  /** Settle without an error. */
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;
  #seenUntil: string | undefined;

  constructor(options: ListenerOptions) {
    const { rewound, saved } = options;
    this.#options = options;
    this.#frames = new FramesInOrder(rewound ? undefined : saved?.position);
    this.#suspects = new Set(saved?.inFlight);
    this.#seenUntil = saved?.seenUntil;
  }

  /** Returns when the next frame may come. @throws what `handle` threw */
  async onFrame(frame: Frame): Promise<void> {
    if (frame.event === 'event') this.#onEvent(jsonOf(frame) as StreamedEvent);
    else if (frame.event === 'delivery') this.#onDelivery(jsonOf(frame) as Replay);
    const { parallel } = this.#options;
    while (this.#running.size >= parallel || this.#isFarAhead(parallel * aheadOfOldest)) {
      await Promise.race(this.#running);
    }
    this.#throwFailure();
  }

  onPosition(position: string): void {
    this.#frames.reach(position);
    this.#write();
  }

  /** Waits for everything that was begun. @throws what `handle` threw, unless it is a Failure */
  async end(): Promise<void> {
    await Promise.all(this.#running);
    // An interrupted event; it stays behind the position.
    if (!(this.#failure?.error instanceof Failure)) this.#throwFailure();
  }

  #onEvent(event: StreamedEvent): void {
    const { rewound, saved, isEarlier } = this.#options;
    if (isEarlier(event)) return;
    const again = rewound && event.time <= (saved?.seenUntil ?? '');
    const redelivered = again || this.#suspects.has(event.id) || this.#recent.has(event.id);
    this.#suspects.delete(event.id);
    this.#recent.add(event);
    const handled = this.#frames.begin(event.id);
    this.#write();
    this.#run({ event, redelivered, replay: undefined }, () => {
      if (event.time > (this.#seenUntil ?? '')) this.#seenUntil = event.time;
      if (handled()) this.#write();
    });
  }

  /** A replay sends an event again that `listen` has shown, so it is shown again. */
  #onDelivery({ id, event_id: eventId, attempt, replayed_from: replayedFrom }: Replay): void {
    if (replayedFrom === undefined || attempt !== 1) return;
    const event = this.#recent.find(eventId);
    if (event) this.#run({ event, redelivered: true, replay: id }, () => undefined);
    else {
      this.#options.say(`${id} replays ${eventId}, which came before this listen: see --since.`);
    }
  }

  #run(handled: Handled, ended: () => void): void {
    const run: Promise<void> = this.#options
      .handle(handled)
      .then(ended)
      .catch((error: unknown) => void (this.#failure ??= { error }))
      .finally(() => this.#running.delete(run));
    this.#running.add(run);
  }

  #isFarAhead(most: number): boolean {
    return this.#running.size > 0 && this.#frames.begun.length >= most;
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure.error;
  }

  #write(): void {
    this.#options.file.write({
      position: this.#frames.position,
      inFlight: [...this.#frames.begun, ...this.#suspects],
      seenUntil: this.#seenUntil,
    });
  }
}
