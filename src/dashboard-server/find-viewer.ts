import type { IncomingMessage } from 'node:http';
import { ApiError } from '../api/problem.js';
import type { Viewer } from '../domain/account/credentials.js';
import { cookieNames, readCookie } from './cookies.js';
import type { DashboardOptions } from './dashboard-options.js';
import { rejectCrossSite } from './reject-cross-site.js';

type Refusal = 'missing_credential' | 'expired_credential' | 'invalid_credential';

/** Makes the refusals of browsers without a session. */
export function refusals(realm: string, details: Readonly<Record<Refusal, string>>) {
  return (code: Refusal): ApiError => {
    const detail = details[code];
    return new ApiError('unauthorized', detail, {
      errors: [{ code, detail }],
      headers: { 'WWW-Authenticate': `Cookie realm="${realm}"` },
    });
  };
}

const unauthorized = refusals('dashboard', {
  missing_credential: 'This browser is not signed in. Sign in.',
  expired_credential: 'The session has expired. Sign in again.',
  invalid_credential: 'The session has ended. Sign in again.',
});

/** Finds the holder of the cookie that has this name in a request. */
export function holderFinder(
  { read, sessions, addressOf }: Pick<DashboardOptions, 'read' | 'sessions' | 'addressOf'>,
  nameOf: (request: IncomingMessage) => string,
) {
  /**
   * @param isUse whether the request counts as use of the session
   * @throws ApiError unauthorized, rate_limit_exceeded
   */
  return async (request: IncomingMessage, isUse = true): Promise<Viewer> => {
    const token = readCookie(request, nameOf(request));
    if (token === undefined) throw unauthorized('missing_credential');
    const viewer = await sessions.authenticate(read, addressOf(request), token, isUse);
    if (typeof viewer !== 'string') return viewer;
    throw unauthorized(viewer === 'expired_credential' ? viewer : 'invalid_credential');
  };
}

/** Finds the member who is signed in with the browser that sends a request. */
export function viewerFinder(
  options: Pick<DashboardOptions, 'read' | 'sessions' | 'origin' | 'addressOf'>,
) {
  const { session } = cookieNames(options.origin);
  return holderFinder(options, () => session);
}

/**
 * Finds who is signed in for a GET that only reads. A browser without Sec-Fetch-Site sends no Origin
 * with it either; SameSite keeps the cookie from other sites there.
 */
export function readerFinder(options: Parameters<typeof viewerFinder>[0]) {
  const { session } = cookieNames(options.origin);
  const find = viewerFinder(options);
  /** @returns undefined without a cookie; otherwise it rejects with ApiError for a refusal */
  return (request: IncomingMessage, isUse: boolean): Promise<Viewer> | undefined => {
    if (readCookie(request, session) === undefined) return undefined;
    const site = request.headers['sec-fetch-site'];
    if (site !== undefined) rejectCrossSite(request, options.origin);
    return find(request, isUse);
  };
}
