import Router from '@koa/router';
import type { Context as KoaContext, Middleware } from 'koa';
import { type IncomingRequest, Call, type Route, type Dependencies } from './call.js';
import { handleCall } from './pipeline.js';
import { methodReply } from '../api/method-reply.js';
import { ApiError } from '../api/problem.js';
import type { RequestState } from '../api/request-state.js';

export interface RestRouterOptions {
  readonly routes: readonly Route[];
  readonly dependencies: Dependencies;
  /** Returns the client's address as the trusted proxies report it. */
  readonly addressOf: (request: IncomingRequest['request']) => string;
}

/**
 * Serves the contract as a Koa middleware:
 * - Paths are case-sensitive and have no trailing slash.
 * - HEAD works as GET.
 * - OPTIONS lists the methods of a path.
 */
export function createRestRouter({
  routes,
  dependencies,
  addressOf,
}: RestRouterOptions): Middleware<RequestState<Call>> {
  const router = new Router<RequestState<Call>>({ strict: true, sensitive: true });
  for (const route of routes) {
    router.register(route.path, [route.method], (ctx: KoaContext) => {
      const { req: request, path, querystring: search } = ctx;
      // No id contains NUL, and PostgreSQL rejects it.
      if (path.includes('%00')) throw new ApiError('not_found', 'No such path.');
      const params = ctx['params'] as Readonly<Record<string, string>>;
      const address = addressOf(request);
      const state = ctx.state as RequestState<Call>;
      const { deadline, traceparent } = state;
      const call = new Call(
        { route, request, path, params, search, address, deadline, traceparent },
        dependencies,
      );
      if (route.handler.awaitsReplay) deadline.extend(dependencies.replayLimitMs);
      state.call = call;
      return handleCall(call);
    });
  }
  const dispatch = router.routes();
  return (ctx): Promise<void> =>
    dispatch(ctx as never, () => handleUnmatched(router, ctx)) as Promise<void>;
}

function handleUnmatched(router: Router<RequestState<Call>>, ctx: KoaContext): Promise<void> {
  const allowed = methodsOf(router, ctx.path);
  if (allowed.length === 0) throw new ApiError('not_found', 'No such path.');
  (ctx.state as RequestState<Call>).reply = methodReply(ctx.method, allowed.join(', '));
  return Promise.resolve();
}

function methodsOf(router: Router<RequestState<Call>>, path: string): string[] {
  const methods = new Set(router.match(path, 'GET').path.flatMap((layer) => layer.methods));
  return methods.size === 0 ? [] : [...methods, 'OPTIONS'].sort();
}
