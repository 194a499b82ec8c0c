const mostRemembered = 100;

/** The last TLS session of each destination, for a handshake without certificates (RFC 8446 section 2.2). */
export class Sessions {
  readonly #known = new Map<string, Buffer>();

  /** @param destination a name and a port, in any spelling that is always the same */
  of(destination: string): Buffer | undefined {
    return this.#known.get(destination);
  }

  /** Remembers it in place of the one before; the destination that came first is forgotten first. */
  keep(destination: string, session: Buffer): void {
    this.#known.set(destination, session);
    if (this.#known.size <= mostRemembered) return;
    const [first = ''] = this.#known.keys();
    this.#known.delete(first);
  }

  /** The next handshake with it is a whole one. */
  forget(destination: string): void {
    this.#known.delete(destination);
  }
}
