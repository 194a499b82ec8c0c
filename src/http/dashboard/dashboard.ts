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
import { authenticateRequest, type Authenticator } from '../authentication.js';
import type { RequestState } from '../exchange.js';
import { type DocumentOptions, knownDocumentRoute } from '../graphql/routes.js';
import { ApiError } from '../problems.js';
import { areCookiesSafe, rejectCrossSite } from './cookies.js';
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
  type BrowserOptions,
  type SessionRoutes,
  sessionRoutes,
  memberAuthenticator,
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
  const { askForLink, signIn, signOut } = sessionRoutes(options);
  const fromPage =
    (handle: SessionRoutes['signIn']): Handler =>
    async ({ req, state }) => {
      rejectCrossSite(req, options.origin);
      return handle(req, state.deadline);
    };

  return new Map<string, Readonly<Record<string, Action>>>([
    ...openIdActions(options, fromPage),
    [
      '/dashboard/session/link',
      { POST: { operation: 'dashboard.link', handle: fromPage(askForLink) } },
    ],
    [
      '/dashboard/session',
      {
        POST: { operation: 'dashboard.sign-in', handle: fromPage(signIn) },
        DELETE: { operation: 'dashboard.sign-out', handle: fromPage(signOut) },
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
  fromPage: (handle: SessionRoutes['signIn']) => Handler,
): readonly [string, Readonly<Record<string, Action>>][] {
  const { openId, origin } = options;
  if (!openId) return [];

  const client = new OpenIdClient(openId, `${origin}${openIdPath}`);
  const { begin, finish } = openIdRoutes(options, { client, onError: openId.onError });
  return [
    [
      openIdPath,
      {
        POST: { operation: 'dashboard.openid-begin', handle: fromPage(begin) },
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
  const ofSession = memberAuthenticator(options);
  const viewerOf = (request: IncomingMessage): Promise<Viewer> => {
    if (request.headers.authorization === undefined) {
      rejectCrossSite(request, origin);
      return ofSession(request);
    }
    // A page of another site cannot send this header: there is no CORS.
    const incoming = { request, address: addressOf(request) };
    return authenticateRequest({ read, authenticator }, incoming, acceptedKinds);
  };
  return knownDocumentRoute({ ...graphql, viewerOf });
}
