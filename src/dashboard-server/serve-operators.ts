import type { Middleware } from 'koa';
import type { RequestState } from '../api/request-state.js';
import { operatorFinder } from './find-operator.js';
import { documentRoute } from './graphql-route.js';
import { rejectPlainText } from './operator-cookie.js';
import type { OperatorOptions } from './operator-options.js';
import { operatorSessionRoutes } from './operator-session-routes.js';
import { type Action, routeDashboard } from './route-dashboard.js';

/** Serves the pages of operators at `/dashboard` of the internal listener. */
export function serveOperators(options: OperatorOptions): Middleware<RequestState> {
  const { signIn, signOut } = operatorSessionRoutes(options);
  const run = documentRoute({ ...options, viewerOf: operatorFinder(options) });
  const actions = new Map<string, Readonly<Record<string, Action>>>([
    [
      '/dashboard/session',
      {
        POST: { operation: 'operators.sign-in', handle: signIn },
        DELETE: { operation: 'operators.sign-out', handle: signOut },
      },
    ],
    ['/dashboard/graphql', { POST: { operation: 'operators.graphql', handle: run } }],
  ]);
  return routeDashboard(actions, options.files, rejectPlainText);
}
