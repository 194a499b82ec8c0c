/**
 * Parses an absolute URL; undefined if the text is not a URL. Unlike `URL.canParse`, which refuses hosts with characters
 * of Latin-1 in Node 20 once it is compiled.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Whether the host is this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|(?:.+\.)?localhost\.?|\[::1\]|127(?:\.\d+){3})$/.test(hostname);
}
