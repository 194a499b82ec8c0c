import type { IncomingMessage, RequestListener } from 'node:http';
import Koa = require('koa');
import type { Press } from '../document/press.js';
import { serveDocuments } from '../document/serve-documents.js';
import { makeId } from '../domain/id.js';
import type { Logger } from '../log.js';
import type { Route, World } from '../rest/call.js';
import { serveCheckoutPage } from '../page/checkout-page.js';
import { serveOfferPage } from '../page/offer-page.js';
import { Deadline } from '../rest/deadline.js';
import { type Problem, problemOf } from '../rest/problem.js';
import { type RequestState, serveContract } from '../rest/serve.js';
import { shownPath } from '../shown-ids.js';
import { clientAddress } from './client-address.js';
import { serveDescription } from './description.js';
import type { Observe } from './metrics.js';
import { servePages } from './pages.js';
import { noteKoaError, refuseAmbiguous } from './parse-faults.js';
import { commonHeaders, type Reply, send } from './reply.js';

/** What the public listener serves, and how. */
export interface PublicAppOptions {
  readonly routes: readonly Route[];
  readonly world: World;
  /** What pages and documents read and change the database with. */
  readonly pages: Pick<World, 'read' | 'transact'>;
  /** Starts the types of Problems and the ids of schemas; without a trailing slash. */
  readonly origin: string;
  readonly press: Press;
  /** Whether checkouts are paid on their page, by a method that moves no money. */
  readonly sandbox: boolean;
  readonly trustedProxies: number;
  /** Called for each request whose X-Forwarded-For is ignored, because no proxy is trusted. */
  readonly onForwardedIgnored: () => void;
  readonly log: Logger;
  readonly observe: Observe;
}

/**
 * The public interface: /v1 and its description, the pages of checkouts and offers, documents, and what
 * Problems and events point to. Nothing but the contract is served under /v1.
 */
export function createPublicApp(options: PublicAppOptions): RequestListener {
  const { routes, world, pages, origin, sandbox, log } = options;
  const door = { ...world, ...pages };
  const addressOf = clientAddress(options.trustedProxies, options.onForwardedIgnored);
  const app = new Koa<RequestState>();
  // The last resort; the boundary below answers everything before.
  app.on('error', noteKoaError(log));
  const contract = serveContract({ routes, world, addressOf });
  app.use(boundary(options));
  // Most requests: they need not pass by what is served elsewhere.
  app.use((ctx, next): Promise<void> => {
    return ctx.path.startsWith('/v1/') ? (contract(ctx, next) as Promise<void>) : next();
  });
  app.use(servePages(origin));
  app.use(serveDescription({ ...world, origin, addressOf }));
  app.use(serveCheckoutPage({ ...door, origin, sandbox, addressOf }));
  app.use(serveDocuments({ ...door, press: options.press, addressOf }));
  app.use(serveOfferPage({ ...door, origin, addressOf }));
  app.use(contract);
  const listener = app.callback();
  return (request, response) => void listener(request, response);
}

/** Request id, one log line, and a Problem for whatever is thrown. */
function boundary({ origin, log, observe }: PublicAppOptions): Koa.Middleware<RequestState> {
  return async (ctx, next) => {
    const startedAt = performance.now();
    const requestId = makeId('req', new Date());
    ctx.respond = false;
    const deadline = (ctx.state.deadline = new Deadline(ctx.req));
    let reply: Reply;
    let thrown: unknown;
    let level: Problem['level'] = 'info';
    try {
      refuseAmbiguous(ctx.req);
      await deadline.bound(next() as Promise<unknown>);
      reply = ctx.state.reply ?? replyOf(ctx.state);
    } catch (error) {
      thrown = error;
      const problem = problemOf(error, origin, requestId);
      ({ level } = problem);
      reply = { ...problem, ...ctx.state.show?.(problem) };
    }
    const { call } = ctx.state;
    const common = commonHeaders(requestId);
    send(ctx.res, reply, [common, call?.headers], ctx.method === 'HEAD');
    const durationMs = performance.now() - startedAt;
    const operation = call?.route.id ?? ctx.state.operation ?? 'none';
    observe(operation, reply.status, durationMs / 1_000);
    const line = {
      request_id: requestId,
      operation,
      method: ctx.method,
      path: ctx.state.path ?? shownPath(ctx.path),
      status: reply.status,
      duration_ms: Math.round(durationMs * 10) / 10,
      account: call?.authenticated?.account,
      credential: call?.authenticated?.credential,
      code: 'code' in reply ? reply.code : undefined,
      client_request_id: clientRequestId(ctx.req),
    };
    log[level](level === 'info' ? line : { ...line, err: thrown }, 'request');
  };
}

function replyOf({ call }: RequestState): Reply {
  const answer = call?.answer;
  if (!answer) throw new Error('No handler set a response.');
  if (answer.text === null) return answer;
  const type = { 'Content-Type': 'application/json; charset=utf-8' };
  return { ...answer, headers: { ...type, ...answer.headers } };
}

/** What the client calls the request; logged, never echoed (H94). */
function clientRequestId({ headers }: IncomingMessage): string | undefined {
  return headers['x-request-id']?.slice(0, 128).toString();
}
