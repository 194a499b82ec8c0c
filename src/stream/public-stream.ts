import type { Context as KoaContext, Middleware } from 'koa';
import { methodNotAllowed, type RequestState } from '../api/replies.js';
import { ApiError } from '../api/problem.js';
import { rateLimitExceeded, type RateLimits } from '../api/rate-limit.js';
import { allows, mayReadSales } from '../domain/account/permission.js';
import { isPortalSession, type Viewer } from '../domain/account/credentials.js';
import { authenticateRequest } from '../api/authentication.js';
import type { StreamAccess } from './frames.js';
import type { OpenStream, StreamExchange } from './stream-endpoint.js';
import { readStreamQuery } from './stream-query.js';

export interface PublicStreamOptions {
  readonly dependencies: Parameters<typeof authenticateRequest>[0];
  /** Finds who is signed in to the dashboard; undefined for a request without its cookie. */
  readonly authenticateSession: (
    request: KoaContext['req'],
    isUse: boolean,
  ) => Promise<Viewer> | undefined;
  /** Finds who uses the portal whose stream is at a path; undefined for another path. */
  readonly portalAt: (path: string) => ViewerFinder | undefined;
  /** The kinds of credential that read webhooks. */
  readonly credentials: readonly string[];
  readonly limits: Pick<RateLimits, 'consume'>;
  readonly addressOf: (request: KoaContext['req']) => string;
  readonly openStream: OpenStream;
}

/** Finds who asks. @param isUse whether that counts as use of a session */
type ViewerFinder = (request: KoaContext['req'], isUse: boolean) => Promise<Viewer>;

const allow = 'GET, OPTIONS';

/**
 * Serves the live stream of the account of a credential or session, at `/stream` and below the path of
 * each portal.
 */
export function servePublicStream(options: PublicStreamOptions): Middleware<RequestState> {
  const { limits, openStream } = options;
  return async (ctx, next) => {
    const find: ViewerFinder | undefined =
      ctx.path === '/stream'
        ? (request, isUse) => viewerOf(options, request, isUse)
        : options.portalAt(ctx.path);
    if (!find) return next() as Promise<void>;

    ctx.state.operation = 'stream';

    if (ctx.method === 'OPTIONS') {
      ctx.state.reply = { status: 204, headers: { Allow: allow }, text: null };
      return;
    }

    const viewer = await find(ctx.req, true);
    const access = accessOf(viewer);
    if (!access) throw forbidden();

    const isPortal = isPortalSession(viewer);
    const quota = await limits.consume('default', viewer.account, isPortal);
    if (quota.exceeded) throw rateLimitExceeded(quota);

    requireGet(ctx.method);

    const { account } = viewer;
    ctx.state.caller = viewer;

    const findAccess = async () => {
      // A page that is left open keeps no session alive.
      const again = await find(ctx.req, false).catch(refused);
      return again?.account === account ? accessOf(again) : undefined;
    };

    const query = readStreamQuery(ctx.querystring, lastEventId(ctx), false);
    ctx.state.own = await openStream(ctx, { account, isPortal, access, findAccess }, query);
  };
}

/** A bearer token comes before the cookie, which a browser adds by itself. */
async function viewerOf(
  { dependencies, credentials, authenticateSession, addressOf }: PublicStreamOptions,
  request: KoaContext['req'],
  isUse: boolean,
): Promise<Viewer> {
  const session =
    request.headers.authorization === undefined ? authenticateSession(request, isUse) : undefined;
  if (session) return session;
  return authenticateRequest(dependencies, { request, address: addressOf(request) }, credentials);
}

/** The header of a client that resumes; browsers send an empty one for none. */
export function lastEventId({ req }: Pick<StreamExchange, 'req'>): string | undefined {
  const value = req.headers['last-event-id'];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** @throws ApiError method_not_allowed */
export function requireGet(method: string): void {
  if (method !== 'GET') throw methodNotAllowed(method, allow);
}

/** What a viewer may read of the stream; undefined for nothing. An internal credential reads all. */
export function accessOf(viewer: Pick<Viewer, 'kind' | 'permissions'>): StreamAccess | undefined {
  if (viewer.kind !== 'internal' && !allows(viewer, 'webhooks', 'read')) return undefined;
  return { bodies: mayReadSales(viewer) };
}

/** The error for a credential whose permission is below that. */
export function forbidden(): ApiError {
  const detail = 'The stream requires the `webhooks` permission at read level.';
  return new ApiError('forbidden', detail, { errors: [{ code: 'permission_missing', detail }] });
}

/** Only a refusal ends a stream; while the database does not answer, it stays. */
export function refused(error: unknown): undefined {
  if (error instanceof ApiError && error.code === 'unauthorized') return undefined;
  throw error;
}
