import type { IncomingMessage } from 'node:http';
import { ApiError } from '../api/problem.js';
import { cookieNames } from './cookies.js';

/** The cookie of an operator's session in one browser. */
interface OperatorCookie {
  readonly name: string;
  /** Whether it goes by TLS only. */
  readonly secure: boolean;
}

/**
 * Returns the origin of the page that sent a request. The internal listener has no address of its own:
 * operators reach it through a tunnel, or through a proxy with TLS. Browsers send it with each POST and
 * DELETE.
 */
export function originOf({ headers }: IncomingMessage): string {
  const { origin, host = '' } = headers;
  return origin === undefined || origin === 'null' ? `http://${host}` : origin;
}

/**
 * Names the cookie for the page that sends a request: `__Host-` by TLS.
 * @param baseUrl that of the service; its hash tells services on one host apart
 */
export function operatorCookie(request: IncomingMessage, baseUrl: string): OperatorCookie {
  const { instance } = cookieNames(baseUrl);
  const secure = originOf(request).startsWith('https:');
  return { name: `${secure ? '__Host-' : ''}signalpost-operator-${instance}`, secure };
}

/**
 * Refuses a request that came over a network in the clear: the token and the cookie would be readable.
 * @throws ApiError forbidden
 */
export function rejectPlainText(request: IncomingMessage): void {
  const origin = originOf(request);
  if (origin.startsWith('https:')) return;
  if (/^http:\/\/(?:127\.[\d.]+|\[::1\]|localhost)(?::\d+)?$/.test(origin)) return;
  throw new ApiError(
    'forbidden',
    'The pages of operators need TLS or a tunnel. Forward the port to this machine and open them at 127.0.0.1.',
  );
}
