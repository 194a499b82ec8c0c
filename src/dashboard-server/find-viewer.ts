import type { IncomingMessage } from 'node:http';
import { ApiError } from '../api/problem.js';
import type { Viewer } from '../domain/account/credentials.js';
import { cookieNames, readCookie } from './cookies.js';
import type { DashboardOptions } from './dashboard-options.js';
import { rejectCrossSite } from './reject-cross-site.js';

const details = {
  missing_credential: 'This browser is not signed in. Sign in.',
  expired_credential: 'The session has expired. Sign in again.',
  invalid_credential: 'The session has ended. Sign in again.',
} as const;

/** Finds the member who is signed in with the browser that sends a request. */
export function viewerFinder({
  read,
  sessions,
  origin,
  addressOf,
}: Pick<DashboardOptions, 'read' | 'sessions' | 'origin' | 'addressOf'>) {
  const { session } = cookieNames(origin);
  /** @throws ApiError unauthorized, rate_limit_exceeded */
  return async (request: IncomingMessage): Promise<Viewer> => {
    const token = readCookie(request, session);
    if (token === undefined) throw unauthorized('missing_credential');
    const viewer = await sessions.authenticate(read, addressOf(request), token);
    if (typeof viewer !== 'string') return viewer;
    throw unauthorized(viewer === 'expired_credential' ? viewer : 'invalid_credential');
  };
}

/** The refusal of a browser without a session. */
export function unauthorized(code: keyof typeof details): ApiError {
  const detail = details[code];
  return new ApiError('unauthorized', detail, {
    errors: [{ code, detail }],
    headers: { 'WWW-Authenticate': 'Cookie realm="dashboard"' },
  });
}

/**
 * Finds who is signed in for a GET that only reads. A browser without Sec-Fetch-Site sends no Origin
 * with it either; SameSite keeps the cookie from other sites there.
 */
export function readerFinder(options: Parameters<typeof viewerFinder>[0]) {
  const { session } = cookieNames(options.origin);
  const find = viewerFinder(options);
  /** @returns undefined without a cookie; otherwise it rejects with ApiError for a refusal */
  return (request: IncomingMessage): Promise<Viewer> | undefined => {
    if (readCookie(request, session) === undefined) return undefined;
    const site = request.headers['sec-fetch-site'];
    if (site !== undefined) rejectCrossSite(request, options.origin);
    return find(request);
  };
}
