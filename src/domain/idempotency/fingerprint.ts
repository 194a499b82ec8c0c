import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/**
 * Distinguishes two requests under one key: SHA-256 over method, path and canonical body. Key order and
 * white space of the body do not count (JCS, RFC 8785). The path counts, because two operations without
 * a body would otherwise look alike.
 * @param path that of the request, without the query
 * @param body the parsed JSON; undefined for an operation without a body
 */
export function fingerprint(method: string, path: string, body: unknown): Buffer {
  const canonical = body === undefined ? '' : canonicalText(body);
  return createHash('sha256').update(`${method}\n${path}\n${canonical}`).digest();
}

function canonicalText(body: unknown): string {
  const text = JSON.stringify(body);
  // JCS has no form for a lone surrogate, which JSON.stringify escapes. The service refuses such a body
  // later and never stores its fingerprint, which only must not equal another one.
  if (/(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(text)) return text;
  return canonicalize(body) ?? '';
}
