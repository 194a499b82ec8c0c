import type { IncomingMessage } from 'node:http';
import type { Viewer } from '../domain/account/credentials.js';
import { holderFinder } from './find-viewer.js';
import { operatorCookie, originOf } from './operator-cookie.js';
import type { OperatorOptions } from './operator-options.js';
import { rejectCrossSite } from './reject-cross-site.js';

/** Finds the operator who is signed in with the browser that sends a request. */
export function operatorFinder(options: OperatorOptions) {
  const find = holderFinder(options, (request) => operatorCookie(request, options.origin).name);
  /** @throws ApiError forbidden for a request of another site, unauthorized, rate_limit_exceeded */
  return async (request: IncomingMessage): Promise<Viewer> => {
    rejectCrossSite(request, originOfHost(request));
    return find(request);
  };
}

/** The address under which the browser knows the listener, for those that say no Sec-Fetch-Site. */
export function originOfHost(request: IncomingMessage): string {
  const [scheme] = originOf(request).split('://');
  return `${scheme}://${request.headers.host ?? ''}`;
}
