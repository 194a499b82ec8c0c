// The dashboard of members, at `/dashboard` of the public listener: built pages, sign-in and sign-out, and the documents
// that the pages call by id.
//
// A session is a cookie of one browser. Requests that carry it are refused when another site sent them. Pages run only
// documents that were known when the release was built, so a stolen session opens no other part of the schema. Sessions
// and links are rows, and a crash loses none. The pages of operators (operators.ts) and the portals (portal.ts) accept
// only their own sessions.
import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import type { Viewer } from '../../domain/account/credentials.js';
import { validationFailed } from '../../domain/errors.js';
import {
  knowsAddress,
  openKnownBrowser,
  sealKnownBrowser,
  withMember,
} from '../../domain/session/known-browser.js';
import {
  type LinkHolder,
  type LinkRefusal,
  redeemCode,
  redeemToken,
} from '../../domain/session/redeem-link.js';
import { makeSecretToken } from '../../domain/session/secret-tokens.js';
import { endSessionOf, openSession } from '../../domain/session/sessions.js';
import {
  hashAddress,
  linkLifetimeMs,
  type RequestRefusal,
  requestLinks,
} from '../../domain/session/sign-in-links.js';
import type { Tx } from '../../domain/transaction/tx.js';
import { authenticateRequest, type Authenticator } from '../authentication.js';
import { networksOf } from '../client-address.js';
import { jsonReply, type RequestState } from '../exchange.js';
import { type DocumentOptions, knownDocumentRoute } from '../graphql/routes.js';
import { ApiError } from '../problems.js';
import {
  areCookiesSafe,
  cookieNames,
  readCookie,
  readSecretCookie,
  rejectCrossSite,
  setCookie,
} from './cookies.js';
import { OpenIdClient, type OpenIdOptions, openIdPath, openIdRoutes } from './open-id.js';
import {
  type Action,
  type Actions,
  type DashboardFiles,
  type Handler,
  routeDashboard,
  withProvider,
} from './pages.js';
import {
  authenticateSession,
  type BrowserOptions,
  type FinderOptions,
  signedOutError,
  readOneText,
  type SessionKind,
  sessionRoutes,
} from './sessions.js';

/** Dependencies of the dashboard. */
interface DashboardOptions extends BrowserOptions {
  /** The built pages; undefined if they are not built. */
  readonly files: DashboardFiles | undefined;
  /** How its pages run their documents. */
  readonly graphql: DocumentOptions;
  /** Finds the holders of bearer tokens, who may run the same documents. */
  readonly authenticator: Authenticator;
  /** The operator's OpenID provider; undefined without one. */
  readonly openId: OpenIdOptions | undefined;
}

/** Serves `/dashboard`: its built pages, sign-in and sign-out, and the documents of the pages. */
export function serveDashboard(options: DashboardOptions): Middleware<RequestState> {
  const files = options.files && withProvider(options.files, options.openId);
  const usable = areCookiesSafe(options.origin);
  return routeDashboard(actionsOf(options), files, () => {
    if (!usable) throw new ApiError('forbidden', 'The dashboard needs a BASE_URL with https.');
  });
}

function actionsOf(options: DashboardOptions): Actions {
  const { signIn, signOut } = sessionRoutes(options, memberSessions(options));
  return new Map<string, Readonly<Record<string, Action>>>([
    ...openIdActions(options),
    [
      '/dashboard/session/link',
      { POST: { operation: 'dashboard.link', handle: linkRoute(options) } },
    ],
    [
      '/dashboard/session',
      {
        POST: { operation: 'dashboard.sign-in', handle: signIn },
        DELETE: { operation: 'dashboard.sign-out', handle: signOut },
      },
    ],
    [
      '/dashboard/graphql',
      { POST: { operation: 'dashboard.graphql', handle: graphqlRoute(options) } },
    ],
  ]);
}

/** The actions of a sign-in at the operator's OpenID provider, if there is one. */
function openIdActions(
  options: DashboardOptions,
): readonly [string, Readonly<Record<string, Action>>][] {
  const { openId, origin } = options;
  if (!openId) return [];

  const client = new OpenIdClient(openId, `${origin}${openIdPath}`);
  const { begin, finish } = openIdRoutes(options, { client, onError: openId.onError });
  return [
    [
      openIdPath,
      {
        POST: {
          operation: 'dashboard.openid-begin',
          handle: async ({ req }) => {
            rejectCrossSite(req, origin);
            return begin(req);
          },
        },
        GET: {
          operation: 'dashboard.openid-finish',
          handle: ({ req, state }) => finish(req, state.deadline),
        },
      },
    ],
  ];
}

/** Internal credentials are refused here: they belong to the internal listener. */
const acceptedKinds = ['live', 'legacy', 'dashboard'];

/** Runs known operations for the member who is signed in, or for the holder of a bearer token. */
function graphqlRoute(options: DashboardOptions): Handler {
  const { read, origin, addressOf, authenticator, graphql } = options;
  const authenticateMember = memberAuthenticator(options);
  const viewerOf = (request: IncomingMessage): Promise<Viewer> => {
    if (request.headers.authorization === undefined) {
      rejectCrossSite(request, origin);
      return authenticateMember(request, true);
    }
    // A page of another site cannot send this header: there is no CORS.
    const incoming = { request, address: addressOf(request) };
    return authenticateRequest({ read, authenticator }, incoming, acceptedKinds);
  };
  return knownDocumentRoute({ ...graphql, viewerOf });
}

const linkSeconds = linkLifetimeMs / 1_000;
/** Browsers keep a cookie for at most 400 days. */
const knownSeconds = 400 * 24 * 60 * 60;

/**
 * Mails links to an address. The browser gets a secret, with which it may redeem the code of the mail.
 * It answers alike for an address without a member.
 */
function linkRoute({ read, transact, limits, origin, addressOf }: DashboardOptions): Handler {
  const { browser, known, secure } = cookieNames(origin);

  /**
   * Counts a request for a mail. A browser that has signed its address in before does not count among strangers;
   * the others are counted before their body is read.
   * @throws ApiError rate_limit_exceeded
   */
  async function admit(
    request: IncomingMessage,
  ): Promise<{ readonly email: string; readonly knownBrowser: string | undefined }> {
    const remembered = openKnownBrowser(read.rules.sealer, readCookie(request, known));
    if (remembered) await limits.admitKnownLink(remembered.id);
    else await limits.admitLink(addressOf(request));

    const { text: email } = await readOneText(request, ['email']);
    if (!remembered) return { email, knownBrowser: undefined };
    if (knowsAddress(remembered, email)) return { email, knownBrowser: remembered.id };

    await limits.admitLink(addressOf(request));
    return { email, knownBrowser: undefined };
  }

  return async ({ req, state }) => {
    rejectCrossSite(req, origin);
    const { email, knownBrowser } = await admit(req);
    const networks = networksOf(addressOf(req));

    // A new secret for each request, so that the tries of a code belong to one request.
    const secret = makeSecretToken();
    const work = (tx: Tx) =>
      requestLinks(tx, {
        email,
        browser: secret,
        networks,
        knownBrowser,
      });

    const requester =
      knownBrowser ?? `${hashAddress(email).toString('hex')} ${networks.at(-1) ?? ''}`;
    const refused = await transact(work, {
      semaphoreKey: `links ${requester}`,
      signal: state.deadline,
    });
    if (refused) throw tooManyMails(refused);

    const cookie = setCookie(browser, secret, { maxAgeSeconds: linkSeconds, secure });
    return jsonReply(202, {}, cookie);
  };
}

/** The error for too many sign-in mails. It says what helps, and is the same for an address without a member. */
function tooManyMails({ limit, retryAfterMs }: RequestRefusal): ApiError {
  return new ApiError('rate_limit_exceeded', mailLimits[limit], {
    retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1_000)),
  });
}

const mailLimits: Readonly<Record<RequestRefusal['limit'], string>> = {
  network:
    'This network has requested too many sign-in mails for this address in 15 minutes. ' +
    'Use the latest mail that this browser requested, try from another network, or wait.',
  address:
    'Others have requested too many sign-in mails for this address in this hour. Those mails do not sign them in. ' +
    'Use a browser that has signed in with this address before, try from another network, or ask an operator to print a link.',
  browser:
    'This browser has requested 3 sign-in mails for this address in 15 minutes. Use the latest one, or wait.',
};

/** How members sign in: the token of a link, or the code of its mail, opens a session. */
function memberSessions({
  read,
  transact,
  origin,
}: DashboardOptions): SessionKind<'token' | 'code'> {
  const cookies = cookieNames(origin);
  const { secure } = cookies;
  const { sealer } = read.rules;
  return {
    actorKind: 'session',
    secretNames: ['token', 'code'],
    originOf: () => origin,
    cookieOf: () => ({ name: cookies.session, secure }),
    tokenOf: (request) => readCookie(request, cookies.session),
    open: async ({ req, state, secret, browser, actor }) => {
      const redeem = redemptionOf(secret, readSecretCookie(req, cookies.browser));

      const opened = await transact(
        async (tx) => {
          const holder = await redeem(tx);
          if ('refused' in holder) return holder;

          const token = await openSession(tx, holder, browser);
          const known = openKnownBrowser(sealer, readCookie(req, cookies.known));
          return { token, known: await withMember(tx, known, holder) };
        },
        { signal: state.deadline, actor },
      );
      if ('refused' in opened) throw refusal(opened);

      const knownCookie = setCookie(cookies.known, sealKnownBrowser(sealer, opened.known), {
        maxAgeSeconds: knownSeconds,
        secure,
      });
      return { token: opened.token, cookies: [knownCookie['Set-Cookie']] };
    },
    end: endSessionOf,
  };
}

/**
 * Returns how a token or a code is redeemed. A code counts only in the browser that requested its mail.
 * @param requester the secret that the browser got for its request; undefined if it sent none
 * @throws ApiError other_browser
 */
function redemptionOf(
  { name, text }: { readonly name: 'token' | 'code'; readonly text: string },
  requester: string | undefined,
): (tx: Tx) => Promise<LinkHolder | LinkRefusal> {
  if (name === 'token') return (tx) => redeemToken(tx, text, requester);
  if (requester === undefined) throw refusal({ refused: 'other_browser' });
  return (tx) => redeemCode(tx, text, requester);
}

function refusal(refused: LinkRefusal): Error {
  switch (refused.refused) {
    case 'link_expired':
      return new ApiError(
        'link_expired',
        'This link or code was already used or has expired. Request a new one.',
      );
    case 'other_browser':
      return new ApiError(
        'other_browser',
        'Another browser requested this link. Open it there, or enter the code from the mail there.',
      );
    case 'wrong_code': {
      const detail = `The code is wrong. Attempts left: ${refused.triesLeft}.`;
      return validationFailed([{ code: 'invalid_value', detail, param: 'code' }]);
    }
  }
}

/** Authenticates the member who is signed in with the browser that sends a request. */
function memberAuthenticator(options: FinderOptions) {
  const { session } = cookieNames(options.origin);
  /**
   * @param isUse whether the request counts as use of the session
   * @throws ApiError unauthorized, rate_limit_exceeded
   */
  return (request: IncomingMessage, isUse: boolean): Promise<Viewer> => {
    const token = readCookie(request, session);
    return authenticateSession(options, request, { token, isUse, unauthorized: signedOutError });
  };
}

/**
 * Authenticates a GET that only reads, as that of a live stream. A browser without Sec-Fetch-Site sends no Origin
 * with it either; SameSite keeps the cookie from other sites there.
 */
export function memberStreamAuthenticator(options: FinderOptions) {
  const { session } = cookieNames(options.origin);
  const find = memberAuthenticator(options);
  /** @returns undefined without a cookie; otherwise it rejects with ApiError for a refusal */
  return (request: IncomingMessage, isUse: boolean): Promise<Viewer> | undefined => {
    if (readCookie(request, session) === undefined) return undefined;
    const site = request.headers['sec-fetch-site'];
    if (site !== undefined) rejectCrossSite(request, options.origin);
    return find(request, isUse);
  };
}
