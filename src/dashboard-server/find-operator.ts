import type { IncomingMessage } from 'node:http';
import type { Viewer } from '../domain/account/credentials.js';
import { readCookie } from './cookies.js';
import { unauthorized } from './find-viewer.js';
import { operatorCookie, originOf } from './operator-cookie.js';
import type { OperatorOptions } from './operator-options.js';
import { rejectCrossSite } from './reject-cross-site.js';

/** Finds the operator who is signed in with the browser that sends a request. */
export function operatorFinder({ read, sessions, origin, addressOf }: OperatorOptions) {
  /** @throws ApiError forbidden for a request of another site, unauthorized, rate_limit_exceeded */
  return async (request: IncomingMessage): Promise<Viewer> => {
    rejectCrossSite(request, originOfHost(request));
    const token = readCookie(request, operatorCookie(request, origin).name);
    if (token === undefined) throw unauthorized('missing_credential');
    const viewer = await sessions.authenticate(read, addressOf(request), token);
    if (typeof viewer !== 'string') return viewer;
    throw unauthorized(viewer === 'expired_credential' ? viewer : 'invalid_credential');
  };
}

/** The address under which the browser knows the listener, for those that say no Sec-Fetch-Site. */
export function originOfHost(request: IncomingMessage): string {
  const [scheme] = originOf(request).split('://');
  return `${scheme}://${request.headers.host ?? ''}`;
}
