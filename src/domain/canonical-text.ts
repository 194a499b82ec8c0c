import canonicalize from 'canonicalize';

/** Writes JSON in its canonical form (JCS, RFC 8785); the value holds no lone surrogate. */
export function canonicalText(value: unknown): string {
  return canonicalize(value) ?? '';
}
