import type { IncomingMessage } from 'node:http';

/**
 * Returns each value of a header as it was sent. Node's `headers` joins repeated lines or keeps
 * only the first.
 * @param name in lower case
 */
export function headerValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const found = rawHeaders[index] ?? '';
    if (found.length === name.length && found.toLowerCase() === name) {
      values.push(rawHeaders[index + 1] ?? '');
    }
  }
  return values;
}

/** Whether If-None-Match names the entity tag of what exists, by weak comparison (RFC 9110 §13.1.2). */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag));
}
