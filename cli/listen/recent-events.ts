import type { StreamedEvent } from './forward.js';

const mostBytes = 16 * 1_048_576;
const mostIds = 100_000;

/** The events that a listener has handled: the ids of the last 100,000, the bodies of the last 16 MiB. */
export class RecentEvents {
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
      if (this.#ids.size <= mostIds) break;
      this.#ids.delete(oldest);
    }
    if (this.#events.has(event.id)) return;
    this.#events.set(event.id, event);
    this.#bytes += sizeOf(event);
    for (const [id, oldest] of this.#events) {
      if (this.#bytes <= mostBytes) break;
      this.#events.delete(id);
      this.#bytes -= sizeOf(oldest);
    }
  }
}

function sizeOf({ body = '' }: StreamedEvent): number {
  return body.length;
}
