import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isSecretToken } from '../../domain/session/secret-tokens.js';
import { ApiError } from '../problems.js';

/** The names of the cookies of one service, and whether browsers send them by TLS only. */
interface CookieNames {
  readonly session: string;
  /** Cookie of a browser that asked for a link, or went to the OpenID provider. */
  readonly browser: string;
  /** Cookie of a browser that has signed in before; it outlives sessions. */
  readonly known: string;
  /** Distinguishes the cookies of several services on one host. */
  readonly instance: string;
  readonly secure: boolean;
  /** Cookie of a session of the portal of an account. */
  readonly portal: (account: string) => string;
}

/**
 * Names the cookies of the service at this base URL. Browsers send a cookie to every port of a host,
 * so the name says which service it is of. A `__Host-` cookie needs TLS; on loopback there may be none.
 * @param origin the base URL
 */
export function cookieNames(origin: string): CookieNames {
  const instance = createHash('sha256').update(origin).digest('hex').slice(0, 8);
  const secure = origin.startsWith('https:');
  const prefix = secure ? '__Host-' : '';
  return {
    session: `${prefix}signalpost-session-${instance}`,
    browser: `${prefix}signalpost-browser-${instance}`,
    known: `${prefix}signalpost-known-${instance}`,
    instance,
    secure,
    portal: (account) => `${prefix}signalpost-portal-${instance}-${account}`,
  };
}

/** Returns the value of a cookie; undefined if the request has none of this name. */
export function readCookie({ headers }: IncomingMessage, name: string): string | undefined {
  const start = `${name}=`;
  const cookie = headers.cookie?.split(/; */).find((pair) => pair.startsWith(start));
  const value = cookie?.slice(start.length);
  return value === '' ? undefined : value;
}

/** Returns the value of a cookie if it can be a secret of the service. */
export function readSecretCookie(request: IncomingMessage, name: string): string | undefined {
  const value = readCookie(request, name);
  return value !== undefined && isSecretToken(value) ? value : undefined;
}

/** Where browsers send a cookie. */
export interface CookieScope {
  /** Whether browsers send it by TLS only. */
  readonly secure: boolean;
  /** Whether browsers keep it in the frame of another site too, for that frame alone; only if `secure`. Defaults to false. */
  readonly partitioned?: boolean;
}

/** Returns a Set-Cookie that scripts and other sites cannot read. An age of 0 seconds removes the cookie. */
export function setCookie(
  name: string,
  value: string,
  { maxAgeSeconds, secure, partitioned = false }: CookieScope & { readonly maxAgeSeconds: number },
): { readonly 'Set-Cookie': string } {
  const attributes = ['Path=/', `Max-Age=${maxAgeSeconds}`, 'HttpOnly'];
  attributes.push(partitioned ? 'SameSite=None' : 'SameSite=Lax');
  if (secure) attributes.push('Secure');
  if (partitioned) attributes.push('Partitioned');
  return { 'Set-Cookie': [`${name}=${value}`, ...attributes].join('; ') };
}

/**
 * Refuses what a page of another site sent. Browsers say from which site a request comes; one that
 * says nothing is refused too, because it may carry a cookie all the same.
 * @param origin the base URL
 * @throws ApiError forbidden
 */
export function rejectCrossSite({ headers }: IncomingMessage, origin: string): void {
  const site = headers['sec-fetch-site'];
  const sameOrigin =
    site === undefined ? headers.origin === new URL(origin).origin : site === 'same-origin';
  if (sameOrigin) return;
  throw new ApiError(
    'forbidden',
    'The request came from another site. Open the dashboard itself and send it from there.',
  );
}

/** Whether cookies are safe at this base URL: without TLS they are on this machine only. */
export function areCookiesSafe(origin: string): boolean {
  const { hostname } = new URL(origin);
  return cookieNames(origin).secure || /^(?:127\.[\d.]+|\[::1\]|localhost)$/.test(hostname);
}
