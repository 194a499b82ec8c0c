import type { Middleware } from 'koa';
import { ApiError } from '../api/problem.js';
import type { RequestState } from '../api/request-state.js';
import type { DashboardOptions } from './dashboard-options.js';
import { graphqlRoute } from './graphql-route.js';
import { OpenIdClient } from './open-id-client.js';
import { openIdPath, openIdRoutes } from './open-id-routes.js';
import { withProvider } from './pages.js';
import { isUsable, rejectCrossSite } from './reject-cross-site.js';
import { type Action, type Actions, type Handler, routeDashboard } from './route-dashboard.js';
import { type SessionRoutes, sessionRoutes } from './session-routes.js';

/** Serves `/dashboard`: its built pages, sign-in and sign-out, and the documents of the pages. */
export function serveDashboard(options: DashboardOptions): Middleware<RequestState> {
  const files = options.files && withProvider(options.files, options.openId);
  const usable = isUsable(options.origin);
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
