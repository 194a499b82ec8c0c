import Router from '@koa/router';
import type { Context as KoaContext, Middleware } from 'koa';
import { type Arrival, Call, type Route, type World } from './call.js';
import type { Deadline } from './deadline.js';
import { serveCall } from './pipeline.js';
import { type Problem, Refused } from './problem.js';

/** What the log line of a request needs; set as far as the request came. */
export interface RequestState {
  /** The time limit of the request. */
  deadline: Deadline;
  /** The call of a matched operation. */
  call?: Call;
  /** Set by whoever answers without one. */
  reply?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly text: string | Buffer | null;
  };
  /** What log and metrics call the request when there is no call. */
  operation?: string;
  /** The path without the secret that it holds, for the log; defaults to the path with its ids cut. */
  path?: string;
  /** How a refusal is shown where people read it; absent: as the Problem that it is. */
  show?: (problem: Problem) => Pick<Problem, 'headers' | 'text'>;
}

/** What {@link serveContract} needs. */
export interface ServeOptions {
  readonly routes: readonly Route[];
  readonly world: World;
  /** The client's address behind the proxies that are trusted. */
  readonly addressOf: (request: Arrival['request']) => string;
}

/**
 * The contract as a Koa middleware. Paths are case-sensitive and have no trailing slash; HEAD works
 * as GET, OPTIONS lists what a path has (H93).
 */
export function serveContract({
  routes,
  world,
  addressOf,
}: ServeOptions): Middleware<RequestState> {
  const router = new Router<RequestState>({ strict: true, sensitive: true });
  for (const route of routes) {
    router.register(route.path, [route.method], (ctx: KoaContext) => {
      const { req: request, path, querystring: search } = ctx;
      // A NUL cannot be part of any name; PostgreSQL would refuse to look for it.
      if (path.includes('%00')) throw new Refused('not_found', 'No such path.');
      const params = ctx['params'] as Readonly<Record<string, string>>;
      const address = addressOf(request);
      const state = ctx.state as RequestState;
      const { deadline } = state;
      const call = new Call({ route, request, path, params, search, address, deadline }, world);
      if (route.row.waits) deadline.extend(world.replayLimitMs);
      state.call = call;
      return serveCall(call);
    });
  }
  const dispatch = router.routes();
  return (ctx): Promise<void> =>
    dispatch(ctx as never, () => answerUnmatched(router, ctx)) as Promise<void>;
}

/** No operation has this path with this method. */
function answerUnmatched(router: Router<RequestState>, ctx: KoaContext): Promise<void> {
  const allowed = methodsOf(router, ctx.path);
  if (allowed.length === 0) throw new Refused('not_found', 'No such path.');
  if (ctx.method !== 'OPTIONS') throw methodNotAllowed(ctx.method, allowed);
  const headers = { Allow: allowed.join(', ') };
  (ctx.state as RequestState).reply = { status: 204, headers, text: null };
  return Promise.resolve();
}

function methodsOf(router: Router<RequestState>, path: string): string[] {
  const methods = new Set(router.match(path, 'GET').path.flatMap((layer) => layer.methods));
  return methods.size === 0 ? [] : [...methods, 'OPTIONS'].sort();
}

function methodNotAllowed(method: string, allowed: readonly string[]): Refused {
  const detail = `Method ${method} is not allowed here.`;
  return new Refused('method_not_allowed', detail, { headers: { Allow: allowed.join(', ') } });
}
