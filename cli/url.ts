/**
 * Parses an absolute URL; returns undefined for any other text. Does not use `URL.canParse`, which in
 * Node 20 refuses hosts with characters of Latin-1 once it is compiled.
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
