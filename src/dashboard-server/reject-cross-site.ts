import type { IncomingMessage } from 'node:http';
import { ApiError } from '../api/problem.js';
import { cookieNames } from './cookies.js';

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
export function isUsable(origin: string): boolean {
  const { hostname } = new URL(origin);
  return cookieNames(origin).secure || /^(?:127\.[\d.]+|\[::1\]|localhost)$/.test(hostname);
}
