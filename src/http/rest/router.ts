// Serves /v1. A route is an operation of the contract: its credentials, permission, limits and body come from there,
// its document and its variables from `operations.ts`. The stages that all operations pass are in `http/operation.ts`.
//
// A change is executed in the transaction that locks its Idempotency-Key and stores the response: after a crash,
// the client repeats the request and gets either that response or a first execution. A key is looked up before id
// and fields are checked, so a repetition gets its response whatever has changed since.
import type { IncomingMessage } from 'node:http';
import Router from '@koa/router';
import type { Context as KoaContext, Middleware } from 'koa';
import type { Viewer } from '../../domain/account/credentials.js';
import { allows } from '../../domain/account/permission.js';
import { authenticateRequest } from '../authentication.js';
import { readJsonBody, skipBody } from '../bodies.js';
import { methodReply, type Reply, type RequestState } from '../exchange.js';
import { headerValues, preferredType } from '../headers.js';
import { type QuotaUse, operationRoute, type OperationStages } from '../operation.js';
import { ApiError } from '../problems.js';
import { type Policy, rateLimitExceeded, type RateLimits } from '../rate-limits.js';
import {
  type Call,
  type Dependencies,
  executeCall,
  type RestExchange,
  unavailable,
} from './execute.js';
import { isReplayed, readKey, runOnce } from './idempotency.js';
import type { Route } from './routes.js';

interface RestRouterOptions {
  readonly routes: readonly Route[];
  readonly dependencies: Dependencies;
  /** Returns the client's address as the trusted proxies report it. */
  readonly addressOf: (request: IncomingMessage) => string;
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
}: RestRouterOptions): Middleware<RequestState> {
  const router = new Router<RequestState>({ strict: true, sensitive: true });

  for (const route of routes) {
    const answer = restOperation(route, dependencies);
    router.register(route.path, [route.method], async (ctx: KoaContext) => {
      const { req, path, querystring: search } = ctx;
      // No id contains NUL, and PostgreSQL rejects it.
      if (path.includes('%00')) throw new ApiError('not_found', 'No such path.');
      const params = ctx['params'] as RestExchange['params'];
      const state = ctx.state as RequestState;
      state.operation = route.id;
      if (route.definition.awaitsReplay) state.deadline.extend(dependencies.replayLimitMs);
      const address = addressOf(req);
      state.reply = await answer({ req, state, path, params, search, address });
    });
  }

  const dispatch = router.routes();
  return (ctx): Promise<void> =>
    dispatch(ctx as never, () => handleUnmatched(router, ctx)) as Promise<void>;
}

function handleUnmatched(router: Router<RequestState>, ctx: KoaContext): Promise<void> {
  const allowed = methodsOf(router, ctx.path);
  if (allowed.length === 0) throw new ApiError('not_found', 'No such path.');
  (ctx.state as RequestState).reply = methodReply(ctx.method, allowed.join(', '));
  return Promise.resolve();
}

function methodsOf(router: Router<RequestState>, path: string): string[] {
  const methods = new Set(router.match(path, 'GET').path.flatMap((layer) => layer.methods));
  return methods.size === 0 ? [] : [...methods, 'OPTIONS'].sort();
}

/** Creates the function that answers the requests of one operation of the contract. */
function restOperation(
  route: Route,
  dependencies: Dependencies,
): (exchange: RestExchange) => Promise<Reply> {
  const { credentials, permission, rateLimit, takesKey } = route;
  const { read, limits } = dependencies;
  return operationRoute<RestExchange, string>({
    authenticate: ({ req: request, address }) =>
      authenticateRequest(dependencies, { request, address }, credentials),
    authorize: (viewer) => authorize(viewer, permission),
    count: ({ account }) => count(limits, rateLimit, account),
    checkHeaders: ({ req: request }) => {
      negotiate(request.headers.accept);
      return takesKey ? readKey(headerValues(request, 'idempotency-key')) : '';
    },
    withBody: bodyReader(route),
    runOperation: ({ viewer, details: key, body }, exchange) => {
      const call: Call = { route, dependencies, exchange, viewer, key, body };
      return takesKey ? runOnce(call) : executeCall(call, { read, transact: unavailable });
    },
    isRepetition: isReplayed,
  });
}

function authorize(viewer: Viewer, { name, level }: Route['permission']): void {
  if (allows(viewer, name, level)) return;
  const detail = `This operation requires the \`${name}\` permission at ${level} level.`;
  throw new ApiError('forbidden', detail, { errors: [{ code: 'permission_missing', detail }] });
}

async function count(limits: RateLimits, policy: Policy, account: string): Promise<QuotaUse> {
  // A request that sends no mail gets its mail quota back, so it counts as an ordinary request too.
  if (policy === 'mail') {
    const ordinary = await limits.consume('default', account);
    if (ordinary.exceeded) throw rateLimitExceeded(ordinary);
  }

  const quota = await limits.consume(policy, account);
  if (quota.exceeded) {
    if (policy === 'mail') await limits.restore(policy, account, quota);
    throw rateLimitExceeded(quota);
  }

  if (policy !== 'mail') return quota;

  const uncount = async () => (await limits.restore(policy, account, quota)).headers;
  return { headers: quota.headers, uncount };
}

/** Media types of responses and of errors: a client that accepts one of them gets both. */
const mediaTypes = ['application/json', 'application/problem+json'] as const;

function negotiate(accept: string | undefined): void {
  if (preferredType(accept, mediaTypes) !== undefined) return;
  const detail = 'The response is available only as application/json.';
  throw new ApiError('not_acceptable', detail);
}

const noBytes = Buffer.alloc(0);

/** Reads the body of the operation: none for a read; a change without parameters ignores it. */
function bodyReader({ takesKey, body }: Route): OperationStages<RestExchange, string>['withBody'] {
  if (!takesKey) return (_request, work) => work(undefined, noBytes);
  if (!body) {
    return async (request, work) => {
      await skipBody(request);
      return work(undefined, noBytes);
    };
  }
  const { limits, required } = body;
  return async (request, work) => {
    const sent = await readJsonBody(request, limits);
    return work(sent ?? (required || sent === null ? sent : {}), noBytes);
  };
}
