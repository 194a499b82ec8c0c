import type { Frame } from '../stream/frames.js';
import type { StreamedEvent } from './forward.js';
import type { ListenerState, PositionFile } from './position-file.js';
import { RecentEvents } from './recent-events.js';

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

/** Handles frames one after the other, and knows which events may have been forwarded before. */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #recent = new RecentEvents();
  #position: string | undefined;
  #seenUntil: string | undefined;
  /** What was in flight when the previous process ended; it is marked once. */
  #suspect: string | undefined;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#position = options.rewound ? undefined : options.saved?.position;
    this.#seenUntil = options.saved?.seenUntil;
    this.#suspect = options.saved?.inFlight;
  }

  async onFrame({ event: kind, data }: Frame): Promise<void> {
    if (kind === 'event') await this.#onEvent(JSON.parse(data) as StreamedEvent);
    else if (kind === 'delivery') await this.#onDelivery(JSON.parse(data) as Replay);
  }

  onPosition(position: string): void {
    this.#position = position;
    this.#write(undefined);
  }

  async #onEvent(event: StreamedEvent): Promise<void> {
    const { rewound, saved, handle, isEarlier } = this.#options;
    if (isEarlier(event)) return;
    const again = rewound && event.time <= (saved?.seenUntil ?? '');
    const redelivered = again || event.id === this.#suspect || this.#recent.has(event.id);
    if (event.id === this.#suspect) this.#suspect = undefined;
    this.#write(event.id);
    await handle({ event, redelivered, replay: undefined });
    this.#recent.add(event);
    if (event.time > (this.#seenUntil ?? '')) this.#seenUntil = event.time;
  }

  /** A replay sends an event again that `listen` has shown, so it is shown again. */
  async #onDelivery(delivery: Replay): Promise<void> {
    if (delivery.replayed_from === undefined || delivery.attempt !== 1) return;
    const event = this.#recent.find(delivery.event_id);
    if (event) {
      await this.#options.handle({ event, redelivered: true, replay: delivery.id });
      return;
    }
    this.#options.say(
      `${delivery.id} replays ${delivery.event_id}, which came before this listen: see --since.`,
    );
  }

  #write(inFlight: string | undefined): void {
    this.#options.file.write({
      position: this.#position,
      inFlight: inFlight ?? this.#suspect,
      seenUntil: this.#seenUntil,
    });
  }
}
