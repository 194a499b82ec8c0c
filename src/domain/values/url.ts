/**
 * Parses an absolute URL; undefined if the text is not one. Use it in place of `URL.canParse`, which in Node 20, once
 * it is optimized, rejects hosts with Latin-1 characters.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Returns scheme, host and port of a URL; the empty text if it is not one. */
export function originOf(url: string): string {
  return parseUrl(url)?.origin ?? '';
}
