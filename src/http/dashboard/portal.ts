// The portal of an account: pages of the dashboard in a frame of another site, with separate sessions. The cookie is
// partitioned, so it is sent in that frame only; if a browser does not keep it, the page keeps a token in memory.
// Portal sessions do not work in the dashboard, nor dashboard sessions in the portal.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import type { Viewer } from '../../domain/account/credentials.js';
import { readLogo } from '../../domain/portal/portal-input.js';
import { redeemPortalLink } from '../../domain/portal/portal-links.js';
import {
  endPortalSessionOf,
  keepPortalCookie,
  openPortalSession,
} from '../../domain/portal/portal-sessions.js';
import { findPortalSettings } from '../../domain/portal/portal-settings.js';
import type { Read } from '../../domain/transaction/tx.js';
import { methodReply, type Reply, type RequestState } from '../exchange.js';
import { type DocumentOptions, knownDocumentRoute } from '../graphql/routes.js';
import { ApiError } from '../problems.js';
import {
  areCookiesSafe,
  rejectCrossSite,
  cookieNames,
  readCookie,
  readSecretCookie,
} from './cookies.js';
import { type DashboardFiles, notBuilt, pageHeaders, withMeta } from './pages.js';
import {
  authenticateSession,
  type BrowserOptions,
  type FinderOptions,
  type SessionKind,
  sessionRoutes,
  unauthorizedErrors,
} from './sessions.js';

/** Dependencies of the portals; their sessions are those of portals only. */
interface PortalOptions extends BrowserOptions {
  /** The built pages; undefined if they are not built. */
  readonly files: DashboardFiles | undefined;
  /** The documents of its pages, and how they run. It runs no others. */
  readonly graphql: DocumentOptions;
}

/** A request below the path of an account. */
interface PortalRequest {
  readonly req: IncomingMessage;
  readonly state: RequestState;
  readonly account: string;
}

interface Action {
  /** Its name in logs and metrics. */
  readonly operation: string;
  readonly handle: (exchange: PortalRequest) => Promise<Reply>;
}

type Actions = Readonly<Record<string, Readonly<Record<string, Action>>>>;

/**
 * Serves the portals at `/portal/<account>`: the built pages of the dashboard, which the origins of the
 * account may frame, and what they send. It reads no cookie of the dashboard.
 */
export function servePortal(options: PortalOptions): Middleware<RequestState> {
  const actions = actionsOf(options);
  const usable = areCookiesSafe(options.origin);
  const page = pageActions(options);
  return async (ctx, next) => {
    const { path, method, req, state } = ctx;
    const portal = readPortalPath(path);
    if (!portal) return next() as Promise<void>;

    const byMethod = actions[portal.rest] ?? page;
    const action = byMethod[method];
    if (!action) {
      state.reply = methodReply(method, [...Object.keys(byMethod), 'OPTIONS'].join(', '));
      return;
    }
    state.operation = action.operation;
    if (!usable) throw new ApiError('forbidden', 'The portal needs a BASE_URL with https.');
    state.reply = await action.handle({ req, state, account: portal.account });
  };
}

function pageActions({
  files,
  read,
  limits,
  addressOf,
}: PortalOptions): Readonly<Record<string, Action>> {
  const action: Action = {
    operation: 'portal.page',
    handle: async ({ req, account }) => {
      await limits.admit(addressOf(req));
      return portalPage(files, read, account);
    },
  };
  return { GET: action, HEAD: action };
}

function actionsOf(options: PortalOptions): Actions {
  const { read, limits, addressOf } = options;
  const keep = keepCookieRoute(options);
  const graphql = knownDocumentRoute({
    ...options.graphql,
    viewerOf: portalPostAuthenticator(options),
  });

  const routesOf = (account: string) => sessionRoutes(options, portalSessions(options, account));

  const logo: Action = {
    operation: 'portal.logo',
    handle: async ({ req, account }) => {
      await limits.admit(addressOf(req));
      return portalLogo(read, account);
    },
  };

  return {
    '/logo': { GET: logo, HEAD: logo },
    '/session': {
      POST: {
        operation: 'portal.open',
        handle: (exchange) => routesOf(exchange.account).signIn(exchange),
      },
      DELETE: {
        operation: 'portal.close',
        handle: (exchange) => routesOf(exchange.account).signOut(exchange),
      },
    },
    '/session/kept': { POST: { operation: 'portal.keep', handle: keep } },
    '/graphql': { POST: { operation: 'portal.graphql', handle: graphql } },
  };
}

/**
 * The page of a portal. Its path names the account, because the browser must know who may frame the
 * page before anyone has a session. An unknown account is framed by no one, as one without origins.
 */
async function portalPage(
  files: DashboardFiles | undefined,
  read: Read,
  account: string,
): Promise<Reply> {
  if (files === undefined) return notBuilt;
  const { origins, theme, logo } = await findPortalSettings(read, account);
  const version = logo && createHash('sha256').update(logo).digest('hex').slice(0, 16);
  // None of it is secret: the policy of the page names the same origins, and anyone may see its look.
  const meta = JSON.stringify({ origins, theme, logo: version && `logo?v=${version}` });
  return {
    status: 200,
    headers: pageHeaders(origins),
    text: withMeta(files.index, 'portal', meta),
  };
}

/** Serves the logo of an account, whose address contains its hash. @throws ApiError not_found */
async function portalLogo(read: Read, account: string): Promise<Reply> {
  const { logo } = await findPortalSettings(read, account);
  const image = logo === null ? undefined : readLogo(logo);
  if (!image) throw new ApiError('not_found', 'This portal has no logo.');

  return {
    status: 200,
    headers: {
      'Content-Type': image.type,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cache-Control': 'public, max-age=86400',
    },
    text: image.content,
  };
}

/**
 * How the portal of an account opens: a link opens a session. The response has the cookie and a token: a browser that
 * keeps no cookie in the page of another site has the token in the memory of the page.
 */
function portalSessions(
  { transact, origin }: Pick<BrowserOptions, 'transact' | 'origin'>,
  account: string,
): SessionKind<'token'> {
  const name = cookieNames(origin).portal(account);
  return {
    actorKind: 'portal',
    secretNames: ['token'],
    originOf: () => origin,
    // Browsers accept Secure cookies from loopback without TLS; Safari does not, and uses the token of the page.
    cookieOf: () => ({ name, secure: true, partitioned: true }),
    tokenOf: (request) => portalTokenOf(request, name),
    open: async ({ state, secret, browser, actor }) => {
      const opened = await transact(
        async (tx) => {
          const holder = await redeemPortalLink(tx, account, secret.text);
          return holder && openPortalSession(tx, holder, browser);
        },
        { signal: state.deadline, actor },
      );
      if (opened) return { token: opened.cookie, body: { token: opened.page } };

      throw new ApiError(
        'link_expired',
        'This link was already used or has expired. Request a new one.',
      );
    },
    end: (tx, token) => endPortalSessionOf(tx, account, token),
  };
}

/** Revokes the token of the page once the browser has sent the cookie. */
function keepCookieRoute({ transact, limits, origin, addressOf }: PortalOptions): Action['handle'] {
  const { portal } = cookieNames(origin);
  return async ({ req, state, account }) => {
    rejectCrossSite(req, origin);
    await limits.admit(addressOf(req));

    const cookie = readSecretCookie(req, portal(account));
    if (cookie === undefined) throw unauthorized('missing_credential');

    const kept = await transact((tx) => keepPortalCookie(tx, account, cookie), {
      signal: state.deadline,
    });
    if (!kept) throw unauthorized('invalid_credential');

    return { status: 204, headers: {}, text: null };
  };
}

/** What a path below `/portal` names. */
interface PortalPath {
  readonly account: string;
  /** The rest of the path after the account: empty, or beginning with a slash. */
  readonly rest: string;
}

/**
 * The header of a page that keeps its token in memory. A page of another site cannot send it: there is
 * no CORS.
 */
const tokenHeader = 'signalpost-portal-token';

/** Reads the account from a path below `/portal`; undefined for another path. */
function readPortalPath(path: string): PortalPath | undefined {
  const [, account, rest = ''] = /^\/portal\/(acc_[A-Za-z0-9]{1,60})(\/.*)?$/.exec(path) ?? [];
  return account === undefined ? undefined : { account, rest };
}

/** Returns the token of the page, else the cookie; undefined without either. */
function portalTokenOf(request: IncomingMessage, cookie: string): string | undefined {
  const header = request.headers[tokenHeader];
  return typeof header === 'string' && header !== '' ? header : readCookie(request, cookie);
}

/** Authenticates the user of the portal of an account. Cookies of the dashboard do not count. */
function portalAuthenticator(options: FinderOptions) {
  const { portal } = cookieNames(options.origin);
  /** @throws ApiError unauthorized, rate_limit_exceeded */
  return async (request: IncomingMessage, account: string, isUse = true): Promise<Viewer> => {
    const token = portalTokenOf(request, portal(account));
    const viewer = await authenticateSession(options, request, { token, isUse, unauthorized });
    // A session of another account does not count either.
    if (viewer.account !== account) throw unauthorized('invalid_credential');
    return viewer;
  };
}

/** Authenticates a POST in the portal of an account. */
function portalPostAuthenticator(options: FinderOptions) {
  const find = portalAuthenticator(options);
  /** @throws ApiError forbidden, unauthorized, rate_limit_exceeded */
  return async (request: IncomingMessage): Promise<Viewer> => {
    rejectCrossSite(request, options.origin);
    const { pathname } = new URL(request.url ?? '', options.origin);
    const account = readPortalPath(pathname)?.account;
    if (account === undefined) throw unauthorized('missing_credential');
    return find(request, account);
  };
}

/** Authenticates who reads the stream at a path; undefined for a path that is not the stream of a portal. */
export function portalStreamAuthenticator(options: FinderOptions) {
  const find = portalAuthenticator(options);
  return (path: string) => {
    const portal = readPortalPath(path);
    if (portal?.rest !== '/stream') return undefined;
    return async (request: IncomingMessage, isUse: boolean): Promise<Viewer> => {
      // Another site may send the cookie of its own frame, but not the header.
      if (request.headers[tokenHeader] === undefined) rejectCrossSite(request, options.origin);
      return find(request, portal.account, isUse);
    };
  };
}

/** The refusal of a request without a session of the portal. */
const unauthorized = unauthorizedErrors('portal', {
  missing_credential: 'The portal is not open in this browser. Open it with a new link.',
  expired_credential: 'The session has expired. Open the portal with a new link.',
  invalid_credential: 'The session has ended. Open the portal with a new link.',
});
