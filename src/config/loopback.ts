import type { Config } from './config.js';

/** Whether only this machine reaches what listens on `host`. */
export function isLoopback(host: string): boolean {
  return /^(?:127\.[\d.]+|::1|localhost)$/.test(host);
}

/** The setting and address of a listener that others than this machine reach, as in `HOST is 0.0.0.0`. */
export function publicListener({
  host,
  internalHost,
}: Pick<Config, 'host' | 'internalHost'>): string | undefined {
  if (!isLoopback(host)) return `HOST is ${host}`;
  if (!isLoopback(internalHost)) return `INTERNAL_HOST is ${internalHost}`;
  return undefined;
}
