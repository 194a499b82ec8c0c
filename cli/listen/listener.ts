import { Failure } from '../failure.js';
import { type Frame, jsonOf } from '../stream.js';
import type { StreamedEvent } from './forward.js';
import type { ListenerState, PositionFile } from './position.js';

/** How many events may start while the oldest is not handled, for each that may run in parallel. */
const aheadOfOldest = 10;

/** An event to forward and print. */
export interface Handled {
  readonly event: StreamedEvent;
  /** Whether it may already have been forwarded. */
  readonly redelivered: boolean;
  /** The delivery whose replay sends it again. */
  readonly replay: string | undefined;
}

interface ListenerOptions {
  readonly file: PositionFile;
  readonly saved: ListenerState | undefined;
  /** Whether --since may send events again, up to the saved time. */
  readonly rewound: boolean;
  /** How many events are handled in parallel. */
  readonly parallel: number;
  /** Whether the event comes before the first one that was asked for. */
  readonly isEarlier: (event: StreamedEvent) => boolean;
  /** Forwards and prints one event. */
  readonly handle: (handled: Handled) => Promise<void>;
  readonly note: (text: string) => void;
}

interface Replay {
  readonly id: string;
  readonly event_id: string;
  readonly attempt: number;
  readonly replayed_from?: string;
}

/** Handles frames, at most `parallel` at once, and marks events that may already have been forwarded. */
export class StreamListener {
  readonly #options: ListenerOptions;
  readonly #recent = new RecentEvents();
  readonly #frames: FramesInOrder;
  /** Events in flight when the previous process ended; each is marked once. */
  readonly #suspects: Set<string>;
  /** They never reject: the first error is kept in `#failure`. */
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

  /** Resolves when the next frame may come. @throws the first error of `handle` */
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

  /** Waits for all events in flight. @throws the first error of `handle`, unless it is a Failure */
  async end(): Promise<void> {
    await Promise.all(this.#running);
    // A Failure is an interrupted event, which the next listen gets again.
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

  /** Shows an event again when the service replays a delivery of it. */
  #onDelivery({ id, event_id: eventId, attempt, replayed_from: replayedFrom }: Replay): void {
    if (replayedFrom === undefined || attempt !== 1) return;
    const event = this.#recent.find(eventId);
    if (event) this.#run({ event, redelivered: true, replay: id }, () => undefined);
    else {
      this.#options.note(
        `${id} replays ${eventId}, an event from before this listen: use --since to get it.`,
      );
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

  #isFarAhead(limit: number): boolean {
    return this.#running.size > 0 && this.#frames.started.length >= limit;
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure.error;
  }

  #write(): void {
    this.#options.file.write({
      position: this.#frames.position,
      inFlight: [...this.#frames.started, ...this.#suspects],
      seenUntil: this.#seenUntil,
    });
  }
}

interface Entry {
  readonly event: string;
  /** The position after the event; undefined until the stream sends it. */
  position: string | undefined;
  handled: boolean;
}

/** Orders events that are handled in parallel: the position never passes one that is not handled. */
class FramesInOrder {
  readonly #entries: Entry[] = [];
  #position: string | undefined;

  constructor(position: string | undefined) {
    this.#position = position;
  }

  /** Everything up to this position is handled. */
  get position(): string | undefined {
    return this.#position;
  }

  /** The events after the position that have started. */
  get started(): readonly string[] {
    return this.#entries.map(({ event }) => event);
  }

  /** @returns a function to call when the event is handled; it returns whether the position moved */
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

  /** Takes the position after everything that has started. */
  reach(position: string): void {
    const newest = this.#entries.at(-1);
    if (newest) newest.position = position;
    else this.#position = position;
    this.#moveOn();
  }

  /** Keeps the newest event until its position is known, because the stream would send it again. */
  #moveOn(): void {
    for (let [oldest] = this.#entries; oldest?.handled; [oldest] = this.#entries) {
      if (oldest.position === undefined && this.#entries.length === 1) return;
      this.#position = oldest.position ?? this.#position;
      this.#entries.shift();
    }
  }
}

const maxBytes = 16 * 1_048_576;
const maxIds = 100_000;

/** Remembers handled events: the ids of the last 100,000, the bodies of the last 16 MiB. */
class RecentEvents {
  readonly #ids = new Set<string>();
  readonly #events = new Map<string, StreamedEvent>();
  #bytes = 0;

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  find(id: string): StreamedEvent | undefined {
    return this.#events.get(id);
  }

  add(event: StreamedEvent): void {
    this.#ids.add(event.id);

    for (const oldest of this.#ids) {
      if (this.#ids.size <= maxIds) break;
      this.#ids.delete(oldest);
    }

    if (this.#events.has(event.id)) return;

    this.#events.set(event.id, event);
    this.#bytes += sizeOf(event);

    for (const [id, oldest] of this.#events) {
      if (this.#bytes <= maxBytes) break;
      this.#events.delete(id);
      this.#bytes -= sizeOf(oldest);
    }
  }
}

function sizeOf({ body = '' }: StreamedEvent): number {
  return body.length;
}
