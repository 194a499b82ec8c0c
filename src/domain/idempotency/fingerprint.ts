import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/**
 * What tells two requests under one key apart: SHA-256 over method, path and canonical body (H41).
 * Key order and white space of the body do not count (JCS, RFC 8785); the path does, because two
 * operations without a body would otherwise look alike.
 * @param path as it was requested, without the query
 * @param body the parsed JSON; undefined for an operation without a body
 */
export function fingerprint(method: string, path: string, body: unknown): Buffer {
  const canonical = body === undefined ? '' : canonicalText(body);
  return createHash('sha256').update(`${method}\n${path}\n${canonical}`).digest();
}

function canonicalText(body: unknown): string {
  const text = JSON.stringify(body);
  // JCS has no form for a lone surrogate, which JSON.stringify escapes. Such a body is refused
  // later, so its fingerprint is never stored; it only must not equal another one.
  if (/(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(text)) return text;
  return canonicalize(body) ?? '';
}
