import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** Returns JSON in its canonical form (JCS, RFC 8785). The value must not contain lone surrogates. */
export function canonicalText(value: unknown): string {
  return canonicalize(value) ?? '';
}

/**
 * Returns the fingerprint by which two requests with the same key are compared: SHA-256 of method, path and canonical
 * body. The order of members and white space do not matter. The path is part of it, because two operations without a
 * body would otherwise look alike.
 * @param path the path of the request, without the query
 * @param body the parsed JSON; undefined for an operation without a body
 */
export function fingerprint(method: string, path: string, body: unknown): Buffer {
  const canonical = body === undefined ? '' : canonicalBody(body);
  return createHash('sha256').update(`${method}\n${path}\n${canonical}`).digest();
}

function canonicalBody(body: unknown): string {
  const text = JSON.stringify(body);
  // JCS has no form for a lone surrogate, which JSON.stringify escapes. The service rejects such a body later and
  // never stores its fingerprint. It only has to differ from others.
  if (/(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(text)) return text;
  return canonicalText(body);
}
