const maxSessions = 100;
const maxAgeMs = 3_600_000;

/** How long the result of a full handshake stays valid, in milliseconds since 1970. */
export interface Validity {
  readonly from: number;
  readonly until: number;
}

/** A TLS session with the validity of its original full handshake. */
export interface TlsSession {
  readonly ticket: Buffer;
  readonly validity: Validity;
}

/** Whether this moment is within the validity. A clock that stepped back ends it too. */
export function isValid({ from, until }: Validity, nowMs: number): boolean {
  return from <= nowMs && nowMs < until;
}

/** The part of Node's peer certificate in use. A root is its own issuer. */
export interface Certificate {
  readonly valid_to: string;
  readonly issuerCertificate?: Certificate | undefined;
}

/**
 * Ends after an hour, or when the first certificate of the chain expires: a resumption checks none.
 * Issuers that have already expired do not count. Some receivers send an old cross-signed issuer,
 * and the verification used another path.
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

/** The last TLS session of each destination, for a handshake without certificates (RFC 8446 §2.2). */
export class TlsSessionCache {
  readonly #known = new Map<string, TlsSession>();

  /**
   * Returns a session that may be resumed, and removes an expired one.
   * @param destination name and port, always in the same form
   */
  get(destination: string, nowMs: number): TlsSession | undefined {
    const known = this.#known.get(destination);
    if (!known || isValid(known.validity, nowMs)) return known;
    this.#known.delete(destination);
    return undefined;
  }

  /** Replaces the session of a destination. When full, removes the destination added first. */
  set(destination: string, session: TlsSession): void {
    this.#known.set(destination, session);
    if (this.#known.size <= maxSessions) return;
    const [first = ''] = this.#known.keys();
    this.#known.delete(first);
  }

  /** Removes a session; the next handshake is a full one. */
  remove(destination: string): void {
    this.#known.delete(destination);
  }
}
