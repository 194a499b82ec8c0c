import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { methodReply, readOnly, type Reply, type RequestState } from '../api/replies.js';
import { type DashboardFiles, pageOf } from './pages.js';

/** Answers a request of a page. */
export type Handler = (exchange: {
  readonly req: IncomingMessage;
  readonly state: RequestState;
}) => Promise<Reply>;

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
    if (path !== '/dashboard' && !path.startsWith('/dashboard/')) return next() as Promise<void>;

    const byMethod = actions.get(path);
    const allow = byMethod ? [...Object.keys(byMethod), 'OPTIONS'].join(', ') : readOnly;
    state.reply = methodReply(method, allow);
    if (state.reply) return;

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
