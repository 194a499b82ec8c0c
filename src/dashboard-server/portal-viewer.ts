import type { IncomingMessage } from 'node:http';
import type { Viewer } from '../domain/account/credentials.js';
import { cookieNames, readCookie } from './cookies.js';
import type { DashboardOptions } from './dashboard-options.js';
import { refusals } from './find-viewer.js';
import { rejectCrossSite } from './reject-cross-site.js';

/** What a path below `/portal` names. */
export interface PortalPath {
  readonly account: string;
  /** What follows the account: empty, or from the slash on. */
  readonly rest: string;
}

type FinderOptions = Pick<DashboardOptions, 'read' | 'portalSessions' | 'origin' | 'addressOf'>;

/**
 * The header of a page that keeps its token in memory. A page of another site cannot send it: there is
 * no CORS.
 */
const tokenHeader = 'signalpost-portal-token';

/** Reads the account from a path below `/portal`; undefined for another path. */
export function readPortalPath(path: string): PortalPath | undefined {
  const [, account, rest = ''] = /^\/portal\/(acc_[A-Za-z0-9]{1,60})(\/.*)?$/.exec(path) ?? [];
  return account === undefined ? undefined : { account, rest };
}

/** Returns the token of the page, else the cookie; undefined without either. */
export function portalTokenOf(request: IncomingMessage, cookie: string): string | undefined {
  const header = request.headers[tokenHeader];
  return typeof header === 'string' && header !== '' ? header : readCookie(request, cookie);
}

/** Finds who uses the portal of an account. A cookie of the dashboard is none here. */
function portalFinder({ read, portalSessions, origin, addressOf }: FinderOptions) {
  const { portal } = cookieNames(origin);
  /** @throws ApiError unauthorized, rate_limit_exceeded */
  return async (request: IncomingMessage, account: string, isUse = true): Promise<Viewer> => {
    const token = portalTokenOf(request, portal(account));
    if (token === undefined) throw unauthorized('missing_credential');
    const viewer = await portalSessions.authenticate(read, addressOf(request), token, isUse);
    // A session of another account is as unknown as none.
    if (typeof viewer !== 'string' && viewer.account === account) return viewer;
    throw unauthorized(viewer === 'expired_credential' ? viewer : 'invalid_credential');
  };
}

/** Finds who sends a POST in the portal of an account. */
export function portalViewerFinder(options: FinderOptions) {
  const find = portalFinder(options);
  /** @throws ApiError forbidden, unauthorized, rate_limit_exceeded */
  return async (request: IncomingMessage): Promise<Viewer> => {
    rejectCrossSite(request, options.origin);
    const { pathname } = new URL(request.url ?? '', options.origin);
    const account = readPortalPath(pathname)?.account;
    if (account === undefined) throw unauthorized('missing_credential');
    return find(request, account);
  };
}

/** Finds who reads the stream at a path; undefined for a path that is no stream of a portal. */
export function portalStreamFinder(options: FinderOptions) {
  const find = portalFinder(options);
  return (path: string) => {
    const found = readPortalPath(path);
    if (found?.rest !== '/stream') return undefined;
    return async (request: IncomingMessage, isUse: boolean): Promise<Viewer> => {
      // Another site may send the cookie of its own frame, but not the header.
      if (request.headers[tokenHeader] === undefined) rejectCrossSite(request, options.origin);
      return find(request, found.account, isUse);
    };
  };
}

/** The refusal of a request without a session of the portal. */
export const unauthorized = refusals('portal', {
  missing_credential: 'The portal is not open in this browser. Open it with a new link.',
  expired_credential: 'The session has expired. Open the portal with a new link.',
  invalid_credential: 'The session has ended. Open the portal with a new link.',
});
