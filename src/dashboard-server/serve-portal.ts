import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { methodReply } from '../api/method-reply.js';
import { ApiError } from '../api/problem.js';
import type { Reply, RequestState } from '../api/request-state.js';
import type { DashboardOptions } from './dashboard-options.js';
import { documentRoute } from './graphql-route.js';
import { portalLogo, portalPage } from './portal-pages.js';
import { type PortalHandle, portalRoutes } from './portal-routes.js';
import { portalViewerFinder, readPortalPath } from './portal-viewer.js';
import { isUsable, rejectCrossSite } from './reject-cross-site.js';

/** A request below the path of an account. */
interface Exchange {
  readonly req: IncomingMessage;
  readonly state: RequestState;
  readonly account: string;
}

interface Action {
  /** Its name in logs and metrics. */
  readonly operation: string;
  readonly handle: (exchange: Exchange) => Promise<Reply>;
}

type Actions = Readonly<Record<string, Readonly<Record<string, Action>>>>;

/**
 * Serves the portals at `/portal/<account>`: the built pages of the dashboard, which the origins of the
 * account may frame, and what they send. It reads no cookie of the dashboard.
 */
export function servePortal(options: DashboardOptions): Middleware<RequestState> {
  const actions = actionsOf(options);
  const usable = isUsable(options.origin);
  const page = pageActions(options);
  return async (ctx, next) => {
    const { path, method, req, state } = ctx;
    const found = readPortalPath(path);
    if (!found) return next() as Promise<void>;
    const byMethod = actions[found.rest] ?? page;
    const action = byMethod[method];
    if (!action) {
      state.reply = methodReply(method, [...Object.keys(byMethod), 'OPTIONS'].join(', '));
      return;
    }
    state.operation = action.operation;
    if (!usable) throw new ApiError('forbidden', 'The portal needs a BASE_URL with https.');
    state.reply = await action.handle({ req, state, account: found.account });
  };
}

function pageActions({
  files,
  read,
  limits,
  addressOf,
}: DashboardOptions): Readonly<Record<string, Action>> {
  const action: Action = {
    operation: 'portal.page',
    handle: async ({ req, account }) => {
      await limits.admit(addressOf(req));
      return portalPage(files, read, account);
    },
  };
  return { GET: action, HEAD: action };
}

function actionsOf(options: DashboardOptions): Actions {
  const { read, limits, addressOf, origin, portalDocuments } = options;
  const { open, keep, close } = portalRoutes(options);
  const graphql = documentRoute({
    ...options,
    graphql: { ...options.graphql, documents: portalDocuments },
    viewerOf: portalViewerFinder(options),
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
