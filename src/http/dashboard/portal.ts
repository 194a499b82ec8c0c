// The portal of an account: pages of the dashboard in a frame of another site, with separate sessions. The cookie is
// partitioned, so it is sent in that frame only; if a browser does not keep it, the page keeps a token in memory.
// Portal sessions do not work in the dashboard, nor dashboard sessions in the portal.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import type { Viewer } from '../../domain/account/credentials.js';
import { signingActor } from '../../domain/transaction/actor.js';
import { readLogo } from '../../domain/portal/portal-input.js';
import { redeemPortalLink } from '../../domain/portal/portal-links.js';
import {
  endPortalSessionOf,
  keepPortalCookie,
  openPortalSession,
} from '../../domain/portal/portal-sessions.js';
import { findPortalSettings } from '../../domain/portal/portal-settings.js';
import { isSecretToken } from '../../domain/session/secret-tokens.js';
import { maxSessionDays } from '../../domain/session/sessions.js';
import type { Read, AbortState } from '../../domain/transaction/tx.js';
import { methodReply, type Reply, type RequestState, jsonReply } from '../exchange.js';
import { type DocumentOptions, knownDocumentRoute } from '../graphql/routes.js';
import { ApiError } from '../problems.js';
import {
  areCookiesSafe,
  rejectCrossSite,
  cookieNames,
  readCookie,
  readSecretCookie,
  setPartitionedCookie,
} from './cookies.js';
import { type DashboardFiles, notBuilt, pageHeaders, withMeta } from './pages.js';
import { type BrowserOptions, readOneText, unauthorizedErrors } from './sessions.js';

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
  const { read, limits, addressOf, origin } = options;
  const { open, keep, close } = portalRoutes(options);
  const graphql = knownDocumentRoute({
    ...options.graphql,
    viewerOf: portalPostAuthenticator(options),
  });

  const fromPage =
    (handle: PortalHandle): Action['handle'] =>
    async ({ req, state, account }) => {
      rejectCrossSite(req, origin);
      return handle(req, account, state.deadline);
    };

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
      POST: { operation: 'portal.open', handle: fromPage(open) },
      DELETE: { operation: 'portal.close', handle: fromPage(close) },
    },
    '/session/kept': { POST: { operation: 'portal.keep', handle: fromPage(keep) } },
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

type Options = Pick<BrowserOptions, 'transact' | 'limits' | 'origin' | 'addressOf'>;

/** One request about the session of the portal of an account. */
type PortalHandle = (
  request: IncomingMessage,
  account: string,
  signal: AbortState,
) => Promise<Reply>;

const sessionSeconds = maxSessionDays * 24 * 60 * 60;

/**
 * Creates the requests that begin and end a session of a portal. Each throws ApiError or DomainError when
 * it refuses.
 */
function portalRoutes({ transact, limits, origin, addressOf }: Options) {
  const { portal } = cookieNames(origin);
  const actorOf = (request: IncomingMessage) =>
    signingActor(
      { address: addressOf(request), userAgent: request.headers['user-agent'] },
      'portal',
    );

  /**
   * Redeems a link. The answer has the cookie and a token: a browser that keeps no cookie in the page of
   * another site has the token in the memory of the page.
   */
  const open: PortalHandle = async (request, account, signal) => {
    await limits.admit(addressOf(request));

    const { text } = await readOneText(request, ['token']);
    const name = portal(account);
    const replaced = readCookie(request, name);
    const opened = await transact(
      async (tx) => {
        const holder = await redeemPortalLink(tx, account, text);
        const userAgent = request.headers['user-agent'] ?? '';
        return holder && openPortalSession(tx, holder, { userAgent, replaced });
      },
      { signal, actor: actorOf(request) },
    );
    if (!opened) {
      throw new ApiError(
        'link_expired',
        'This link was already used or has expired. Request a new one.',
      );
    }

    const cookie = setPartitionedCookie(name, opened.cookie, sessionSeconds);
    return jsonReply(200, { token: opened.page }, cookie);
  };

  /** Revokes the token of the page once the browser has sent the cookie. */
  const keep: PortalHandle = async (request, account, signal) => {
    await limits.admit(addressOf(request));
    const cookie = readSecretCookie(request, portal(account));
    if (cookie === undefined) throw unauthorized('missing_credential');
    const work = (tx: Parameters<typeof keepPortalCookie>[0]) =>
      keepPortalCookie(tx, account, cookie);
    if (!(await transact(work, { signal }))) throw unauthorized('invalid_credential');
    return { status: 204, headers: {}, text: null };
  };

  const close: PortalHandle = async (request, account, signal) => {
    await limits.admit(addressOf(request));
    const name = portal(account);
    const token = portalTokenOf(request, name);
    if (token !== undefined && isSecretToken(token)) {
      const actor = actorOf(request);
      await transact((tx) => endPortalSessionOf(tx, account, token), { signal, actor });
    }
    return { status: 204, headers: setPartitionedCookie(name, '', 0), text: null };
  };

  return { open, keep, close };
}

/** What a path below `/portal` names. */
interface PortalPath {
  readonly account: string;
  /** The rest of the path after the account: empty, or beginning with a slash. */
  readonly rest: string;
}

type FinderOptions = Pick<BrowserOptions, 'read' | 'sessions' | 'origin' | 'addressOf'>;

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
function portalAuthenticator({ read, sessions, origin, addressOf }: FinderOptions) {
  const { portal } = cookieNames(origin);
  /** @throws ApiError unauthorized, rate_limit_exceeded */
  return async (request: IncomingMessage, account: string, isUse = true): Promise<Viewer> => {
    const token = portalTokenOf(request, portal(account));
    if (token === undefined) throw unauthorized('missing_credential');
    const viewer = await sessions.authenticate(read, addressOf(request), token, isUse);
    // A session of another account does not count either.
    if (typeof viewer !== 'string' && viewer.account === account) return viewer;
    throw unauthorized(viewer === 'expired_credential' ? viewer : 'invalid_credential');
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
