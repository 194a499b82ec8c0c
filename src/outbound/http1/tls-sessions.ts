const maxSessions = 100;
const maxAgeMs = 3_600_000;

/** From when until when what a full handshake has verified counts, in milliseconds since 1970. */
export interface Validity {
  readonly from: number;
  readonly until: number;
}

/** A TLS session with the validity of the full handshake that it goes back to. */
export interface TlsSession {
  readonly ticket: Buffer;
  readonly validity: Validity;
}

/** Whether this moment is within it; a clock that stepped back ends it, too. */
export function isValid({ from, until }: Validity, nowMs: number): boolean {
  return from <= nowMs && nowMs < until;
}

/** What Node says of a peer's certificate; a root is its own issuer. */
export interface Certificate {
  readonly valid_to: string;
  readonly issuerCertificate?: Certificate | undefined;
}

/**
 * An hour, or until the first certificate of the chain expires: none is looked at in a resumption. Of issuers
 * that have expired already the verification took another path: some receivers send an old cross-signed one.
 */
export function validityOf(peer: Certificate, nowMs: number): Validity {
  const issuers = new Set<Certificate>();
  let next = peer.issuerCertificate;
  while (next && !issuers.has(next)) {
    issuers.add(next);
    next = next.issuerCertificate;
  }
  const endOf = ({ valid_to }: Certificate) => Date.parse(valid_to);
  const ends = [endOf(peer), ...[...issuers].map(endOf).filter((end) => !(end <= nowMs))];
  return { from: nowMs, until: Math.min(nowMs + maxAgeMs, ...ends) };
}

/** The last TLS session of each destination, for a handshake without certificates (RFC 8446 section 2.2). */
export class TlsSessionCache {
  readonly #known = new Map<string, TlsSession>();

  /**
   * What may be resumed; what no longer may be is forgotten.
   * @param destination a name and a port, in any spelling that is always the same
   */
  get(destination: string, nowMs: number): TlsSession | undefined {
    const known = this.#known.get(destination);
    if (!known || isValid(known.validity, nowMs)) return known;
    this.#known.delete(destination);
    return undefined;
  }

  /** Remembers it in place of the one before; the destination that came first is forgotten first. */
  set(destination: string, session: TlsSession): void {
    this.#known.set(destination, session);
    if (this.#known.size <= maxSessions) return;
    const [first = ''] = this.#known.keys();
    this.#known.delete(first);
  }

  /** The next handshake with it is a whole one. */
  remove(destination: string): void {
    this.#known.delete(destination);
  }
}
