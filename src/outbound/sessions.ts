import type { Destination } from './target-guard.js';

const mostRemembered = 100;

/** The last TLS session of each destination, for a handshake without certificates (RFC 8446 section 2.2). */
export class Sessions {
  readonly #known = new Map<string, Buffer>();

  of(to: Destination): Buffer | undefined {
    return this.#known.get(nameOf(to));
  }

  /** Remembers it in place of the one before; the destination that came first is forgotten first. */
  keep(to: Destination, session: Buffer): void {
    this.#known.set(nameOf(to), session);
    if (this.#known.size <= mostRemembered) return;
    const [first = ''] = this.#known.keys();
    this.#known.delete(first);
  }
}

function nameOf({ host, port }: Destination): string {
  return `${host} ${port}`;
}
