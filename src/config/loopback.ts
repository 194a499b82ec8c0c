/** Whether a listener on `host` is reachable from this machine only. */
export function isLoopback(host: string): boolean {
  return /^(?:127\.[\d.]+|::1|localhost)$/.test(host);
}

/** Names a listener that other machines can reach, such as `HOST is 0.0.0.0`; undefined if there is none. */
export function publicListener({
  host,
  internalHost,
}: {
  readonly host: string;
  readonly internalHost: string;
}): string | undefined {
  if (!isLoopback(host)) return `HOST is ${host}`;
  if (!isLoopback(internalHost)) return `INTERNAL_HOST is ${internalHost}`;
  return undefined;
}
