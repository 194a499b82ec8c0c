import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { ApiError } from '../api/problem.js';
import type { RequestState } from '../api/request-state.js';
import type { DashboardFiles } from './dashboard-files.js';
import { pageOf } from './pages.js';

/** Answers a request of a page. */
export type Handler = (exchange: {
  readonly req: IncomingMessage;
  readonly state: RequestState;
}) => Promise<NonNullable<RequestState['reply']>>;

/** One method of a path. */
export interface Action {
  /** Its name in logs and metrics. */
  readonly operation: string;
  readonly handle: Handler;
}

/** The actions of each path, by method. */
export type Actions = ReadonlyMap<string, Readonly<Record<string, Action>>>;

/**
 * Serves `/dashboard`: the actions at their paths, and a built page or an asset at all others.
 * @param refuse throws for a request that must not sign in or read
 */
export function routeDashboard(
  actions: Actions,
  files: DashboardFiles | undefined,
  refuse: (request: IncomingMessage) => void,
): Middleware<RequestState> {
  return async (ctx, next) => {
    const { path, method, req, state } = ctx;
    if (path !== '/dashboard' && !path.startsWith('/dashboard/')) {
      await next();
      return;
    }
    const byMethod = actions.get(path);
    const methods = byMethod ? Object.keys(byMethod) : ['GET', 'HEAD'];
    const allow = { Allow: [...methods, 'OPTIONS'].join(', ') };
    if (method === 'OPTIONS') {
      state.reply = { status: 204, headers: allow, text: null };
      return;
    }
    if (!methods.includes(method)) {
      const detail = `Method ${method} is not allowed here.`;
      throw new ApiError('method_not_allowed', detail, { headers: allow });
    }
    const action = byMethod?.[method];
    state.operation = action?.operation ?? 'dashboard.page';
    if (!action) {
      state.reply = pageOf(files, path, req.headers['accept-encoding']);
      return;
    }
    refuse(req);
    state.reply = await action.handle({ req, state });
  };
}
