// The live streams of a process: who follows (hub.ts), how many streams each account has open (slots.ts), and their
// routes: `/stream` of the public listener for keys, tokens and sessions, the path below each portal, and `/stream` of
// the internal listener.
//
// All routes read the same query, and open a stream by {@link createStreamEndpoint}, which takes a slot of the account
// before it looks at the position. A stream looks its access up again while it is open.
//
// A crash ends all streams. Clients continue after their last positions, also in another process, and the slots of the
// dead process are free after 15 seconds.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context as KoaContext, Middleware } from 'koa';
import { isPortalSession, type Viewer } from '../../domain/account/credentials.js';
import { allows, mayReadSales } from '../../domain/account/permission.js';
import { DomainError, validationFailed, type Issue } from '../../domain/errors.js';
import { streamKinds, type StreamKind } from '../../domain/stream/changes.js';
import { positionAt, type StreamPosition, decodePosition } from '../../domain/stream/position.js';
import { type SlotHolder, streamsOfPortals, streamsPerAccount } from '../../domain/stream/slots.js';
import { type ServerState, readServerState, seesAllOf } from '../../domain/stream/snapshot.js';
import { parseTimestamp } from '../../domain/values/timestamp.js';
import type { Read } from '../../domain/transaction/tx.js';
import { authenticateRequest } from '../authentication.js';
import { methodNotAllowed, type RequestState, type StreamedReply } from '../exchange.js';
import { ApiError } from '../problems.js';
import { compileQuery } from '../query.js';
import { rateLimitExceeded, type RateLimits } from '../rate-limits.js';
import type { StreamOwner, StreamFilter } from './client.js';
import type { StreamAccess } from './frames.js';
import { StreamHub, type StreamHubOptions } from './hub.js';
import { StreamSlots, type StreamSlotsOptions } from './slots.js';

interface LiveStreamOptions extends Pick<InternalStreamOptions, 'authenticate' | 'requireAccount'> {
  /** Reads changes: for all clients that have caught up, and for those that catch up. */
  readonly reads: Pick<StreamHubOptions, 'read' | 'catchUpRead'>;
  /** Stores how many streams each account has open. */
  readonly slots: Pick<StreamSlotsOptions, 'read' | 'transact' | 'process'>;
  readonly metrics: {
    readonly streamCut: StreamHubOptions['onCut'];
    readonly streamResumed: () => void;
  };
  readonly log: { warn(fields: object, message: string): void };
}

/** Creates the live streams of a process. */
export function createLiveStreams(options: LiveStreamOptions) {
  const { reads, metrics, log, authenticate, requireAccount } = options;

  const hub = new StreamHub({
    ...reads,
    onCut: metrics.streamCut,
    onError: (error) => log.warn({ err: error }, 'live streams paused: reading changes failed'),
  });

  const slots = new StreamSlots({
    ...options.slots,
    onError: (error) => log.warn({ err: error }, 'could not store the slots of streams; retrying'),
  });

  const open = createStreamEndpoint({
    hub,
    slots,
    read: reads.catchUpRead,
    countResumed: metrics.streamResumed,
  });

  return {
    /** Opens a stream of the public listener, see {@link servePublicStream}. */
    open,
    /** Serves `/stream` of the internal listener. */
    internal: internalStream({ authenticate, requireAccount, openStream: open }),
    status: () => hub.status,
    /** Looks up again what each client may read. */
    recheck: () => hub.recheck(),
    /** Ends all streams, then frees their slots. */
    close: async () => {
      hub.close();
      await slots.close();
    },
  };
}

interface PublicStreamOptions {
  readonly dependencies: Parameters<typeof authenticateRequest>[0];
  /** Finds who is signed in to the dashboard; undefined for a request without its cookie. */
  readonly authenticateSession: (
    request: KoaContext['req'],
    isUse: boolean,
  ) => Promise<Viewer> | undefined;
  /** Finds who uses the portal whose stream is at a path; undefined for another path. */
  readonly portalAt: (path: string) => Authenticate | undefined;
  /** The kinds of credential that read webhooks. */
  readonly credentials: readonly string[];
  readonly limits: Pick<RateLimits, 'consume'>;
  readonly addressOf: (request: KoaContext['req']) => string;
  readonly openStream: OpenStream;
}

/** Finds who asks. @param isUse whether that counts as use of a session */
type Authenticate = (request: KoaContext['req'], isUse: boolean) => Promise<Viewer>;

const allow = 'GET, OPTIONS';

/**
 * Serves the live stream of the account of a credential or session, at `/stream` and below the path of
 * each portal.
 */
export function servePublicStream(options: PublicStreamOptions): Middleware<RequestState> {
  const { limits, openStream } = options;
  return async (ctx, next) => {
    const find: Authenticate | undefined =
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
    ctx.state.streamed = await openStream(ctx, { account, isPortal, access, findAccess }, query);
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

/** The position of a client that resumes. Without one, browsers send an empty header. */
function lastEventId({ req }: Pick<StreamExchange, 'req'>): string | undefined {
  const value = req.headers['last-event-id'];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** @throws ApiError method_not_allowed */
function requireGet(method: string): void {
  if (method !== 'GET') throw methodNotAllowed(method, allow);
}

/** What a viewer may read of the stream; undefined for nothing. An internal credential reads all. */
function accessOf(viewer: Pick<Viewer, 'kind' | 'permissions'>): StreamAccess | undefined {
  if (viewer.kind !== 'internal' && !allows(viewer, 'webhooks', 'read')) return undefined;
  return { bodies: mayReadSales(viewer) };
}

/** The error for a credential without the permission to read webhooks. */
function forbidden(): ApiError {
  const detail = 'The stream requires the `webhooks` permission at read level.';
  return new ApiError('forbidden', detail, { errors: [{ code: 'permission_missing', detail }] });
}

/** Only a refusal ends a stream; while the database does not answer, it stays. */
function refused(error: unknown): undefined {
  if (error instanceof ApiError && error.code === 'unauthorized') return undefined;
  throw error;
}

interface InternalStreamOptions {
  /** Finds the holder of an internal credential or of a dashboard token. @throws ApiError */
  readonly authenticate: (request: IncomingMessage) => Promise<Viewer>;
  /** @throws DomainError not_found */
  readonly requireAccount: (account: string) => Promise<unknown>;
  readonly openStream: OpenStream;
}

/** The parts of a request to the internal listener. */
export interface InternalStreamExchange extends StreamExchange {
  readonly method: string;
  readonly querystring: string;
  /** Who asks, for the log line. */
  readonly state: { caller?: Pick<Viewer, 'account' | 'credential' | 'kind'> };
}

/**
 * Creates the function that answers `/stream` of the internal listener: an internal credential names
 * the account, a dashboard token has its own.
 */
function internalStream(
  options: InternalStreamOptions,
): (exchange: InternalStreamExchange) => Promise<StreamedReply> {
  const { authenticate, openStream } = options;
  return async (exchange) => {
    const viewer = await authenticate(exchange.req);
    const { credential, kind } = viewer;
    exchange.state.caller = { account: viewer.account, credential, kind };

    const internal = kind === 'internal';
    const access = accessOf(viewer);
    if (!access) throw forbidden();

    requireGet(exchange.method);

    const query = readStreamQuery(exchange.querystring, lastEventId(exchange), internal);
    const account = internal ? await namedAccount(query.account, options) : viewer.account;
    const findAccess = async () => {
      const again = await authenticate(exchange.req).catch(refused);
      if (again?.kind !== kind) return undefined;
      const isThere = internal ? await exists(account, options) : again.account === account;
      return isThere ? accessOf(again) : undefined;
    };
    return openStream(exchange, { account, isPortal: false, access, findAccess }, query);
  };
}

/** Whether the account of an open stream still exists. An internal credential does not belong to it. */
async function exists(
  account: string,
  { requireAccount }: Pick<InternalStreamOptions, 'requireAccount'>,
): Promise<boolean> {
  try {
    await requireAccount(account);
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not_found') return false;
    throw error;
  }
}

async function namedAccount(
  account: string | undefined,
  { requireAccount }: InternalStreamOptions,
): Promise<string> {
  if (account === undefined) {
    const detail = 'An internal credential must name the account.';
    throw validationFailed([{ code: 'required', detail, param: 'account' }]);
  }
  await requireAccount(account);
  return account;
}

/** The account of a stream, its viewer, and what the viewer may read. */
type StreamAdmission = Omit<StreamOwner, 'filter'> & SlotHolder;

/** The two ends of one exchange. */
interface StreamExchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

interface StreamEndpointOptions {
  readonly hub: StreamHub;
  readonly slots: Pick<StreamSlots, 'acquire'>;
  readonly read: Pick<Read, 'sql'>;
  readonly countResumed: () => void;
}

/** Decides on a stream that was admitted, and returns the response that serves it. */
type OpenStream = (
  exchange: StreamExchange,
  admission: StreamAdmission,
  query: StreamQuery,
) => Promise<StreamedReply>;

/** The stream goes back as far as the lists; rows stay for ten days more. */
const retentionMs = 30 * 86_400_000;

const headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // A cache or a proxy that compresses would hold frames back.
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/**
 * Creates the function that opens streams, for all kinds of callers.
 * @returns a function that throws ApiError stream_limit_reached or stream_position_gone, and
 *   DomainError validation_failed
 */
function createStreamEndpoint(options: StreamEndpointOptions): OpenStream {
  const { hub, slots, read, countResumed } = options;
  return async ({ res }, admission, { filter, ...start }) => {
    if (!(await slots.acquire(admission.account, res, admission.isPortal))) {
      throw limitReached(admission.isPortal);
    }
    const wantsPast = start.position !== undefined || start.since !== undefined;
    const position = wantsPast ? startOf(start, await readServerState(read)) : undefined;
    if (start.position) countResumed();
    return {
      status: 200,
      headers,
      begin: (response) => hub.open(response, { ...admission, filter }, position),
    };
  };
}

function startOf(
  { position, since }: Pick<StreamQuery, 'position' | 'since'>,
  state: ServerState,
): StreamPosition {
  const oldest = state.at - retentionMs;

  if (!position) {
    const at = since && ('at' in since ? since.at : state.at - since.ago);
    if (at !== undefined && at >= oldest) return positionAt(state.database, Math.min(at, state.at));
    const detail = 'Must be within the last 30 days.';
    throw validationFailed([{ code: 'out_of_range', detail, param: 'since' }]);
  }

  const { base, within, database } = position;
  const newest = within?.target ?? base;
  if (database !== state.database || !seesAllOf(state.snapshot, newest.snapshot)) {
    throw gone('The position belongs to another database, or to this one before a restore.');
  }

  if (newest.since < oldest) throw gone('The position is older than 30 days.');

  return position;
}

function limitReached(isPortal: boolean): ApiError {
  const detail = isPortal
    ? `The portal has ${streamsOfPortals} open streams. Close one first.`
    : `The account has ${streamsPerAccount} open streams. Close one first.`;
  return new ApiError('stream_limit_reached', detail);
}

function gone(why: string): ApiError {
  return new ApiError('stream_position_gone', `${why} Open the stream with since.`);
}

/** What a client asks of the stream. */
interface StreamQuery {
  readonly filter: StreamFilter;
  /** The position after which the stream continues; takes precedence over `since`. */
  readonly position: StreamPosition | undefined;
  /** Milliseconds before now, or a time in milliseconds; undefined for now. */
  readonly since: { readonly ago: number } | { readonly at: number } | undefined;
  /** The account of the stream; on the internal listener only. */
  readonly account: string | undefined;
}

const names = ['types', 'kinds', 'endpoint', 'since', 'last_event_id'] as const;
const parameter = (name: string) => ({ name, schema: { type: 'string' } });
const readOwn = compileQuery(names.map(parameter));
const readAny = compileQuery([...names, 'account'].map(parameter));

const maxTypes = 100;
const units: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * Reads the query of a stream.
 * @param lastEventId of the header, which wins over `last_event_id`
 * @param anyAccount whether the query may name the account
 * @throws DomainError validation_failed with all errors at once
 */
function readStreamQuery(
  search: string,
  lastEventId: string | undefined,
  anyAccount: boolean,
): StreamQuery {
  const query = (anyAccount ? readAny : readOwn)(search) as Readonly<Record<string, string>>;
  const issues: Issue[] = [];
  const refuse = (param: string, detail: string): undefined => {
    issues.push({ code: 'invalid_value', detail, param });
    return undefined;
  };

  const { types, kinds, endpoint, since, account } = query;
  const positionText = lastEventId ?? query['last_event_id'];
  const position = positionText === undefined ? undefined : decodePosition(positionText);
  if (positionText !== undefined && !position) {
    refuse('last_event_id', 'Must be an id that this stream has sent.');
  }

  const wantedTypes = types?.split(',');
  if (wantedTypes && wantedTypes.length > maxTypes) {
    refuse('types', `Must name at most ${maxTypes} types.`);
  }

  const wantedKinds = kinds?.split(',').filter(isKind);
  if (wantedKinds?.length !== kinds?.split(',').length) {
    refuse('kinds', `Must be some of: ${streamKinds.join(',')}.`);
  }

  const start = since === undefined ? undefined : readSince(since);
  if (since !== undefined && !start) {
    refuse('since', 'Must be a duration such as 10m, or a time such as 2026-01-01T12:00:00Z.');
  }

  if (issues.length > 0) throw validationFailed(issues);

  return {
    filter: {
      kinds: wantedKinds && new Set(wantedKinds),
      types: wantedTypes && new Set(wantedTypes),
      endpoint,
    },
    position,
    since: start,
    account,
  };
}

function isKind(text: string): text is StreamKind {
  return (streamKinds as readonly string[]).includes(text);
}

function readSince(text: string): StreamQuery['since'] {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return { ago: Number(count) * (units[unit] ?? 0) };
  const isTime = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text);
  const at = isTime ? parseTimestamp(text) : undefined;
  return at && { at: at.getTime() };
}
