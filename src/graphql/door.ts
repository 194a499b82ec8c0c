import type { IncomingMessage } from 'node:http';
import { type ApolloServer, HeaderMap } from '@apollo/server';
import { authenticate, type AuthFailure, type Viewer } from '../domain/account/credentials.js';
import { bearerOf } from '../domain/account/token.js';
import { validationFailed } from '../domain/errors.js';
import { mapFaults, unstorable } from '../domain/text.js';
import type { Transact } from '../domain/tx.js';
import type { Context } from './context.js';
import { type Refusal, refusalOf, type Report } from './errors.js';

/** The part of a Koa context that is needed; whoever serves HTTP brings the rest. */
export interface Exchange {
  readonly req: IncomingMessage;
  status: number;
  body: unknown;
  set(name: string, value: string): void;
  /** Who did what, for the log line; filled in as it becomes known. */
  readonly state: { caller?: Caller };
}

/** The names by which a call is found again. */
export interface Caller {
  readonly account: string;
  readonly credential: string;
  readonly kind: string;
  /** As the client calls its operation. */
  operation?: string;
}

/** Longer names of operations are cut in the log. */
const longestName = 100;

/** What /graphql is made of. */
export interface DoorOptions {
  /** Started. */
  readonly server: ApolloServer<Context>;
  /** What resolvers get besides the viewer. */
  readonly world: Omit<Context, 'viewer' | 'door' | 'transact'> & { readonly transact: Transact };
  /** Reads a JSON body (H92); what it throws may say `status`, `code`, `detail` and `errors`. */
  readonly readBody: (request: IncomingMessage) => Promise<unknown>;
  /** Told of faults of ours. */
  readonly report: Report;
}

/** An answer that is no GraphQL result, though it has the form of one. */
class Refused extends Error {
  constructor(
    readonly status: number,
    readonly refusal: Refusal,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(refusal.detail);
    this.name = 'Refused';
  }
}

const details: Readonly<Record<AuthFailure | 'missing_credential', string>> = {
  missing_credential: 'The request has no bearer credential.',
  invalid_credential: 'The bearer credential is not valid.',
  expired_credential: 'The bearer credential has expired.',
  revoked_credential: 'The bearer credential was revoked.',
  credential_kind_not_accepted: 'This operation accepts internal credentials and dashboard tokens.',
};

/**
 * Serves /graphql: POST of one operation as JSON, with an internal credential or a dashboard token.
 * The order is that of the public interface: who, then what (H47). Refusals before GraphQL begins
 * have the form of a GraphQL answer, and the status that a Problem would have.
 */
export function serveGraphQL(options: DoorOptions): (exchange: Exchange) => Promise<void> {
  const { server, world, readBody } = options;
  return async (exchange) => {
    try {
      const viewer = await admit(exchange.req, world);
      const { account, credential, kind } = viewer;
      const caller: Caller = { account, credential, kind };
      exchange.state.caller = caller;
      if (exchange.req.method !== 'POST') throw methodNotAllowed();
      const body = await readBody(exchange.req);
      const operation = operationOf(body);
      if (operation !== undefined) caller.operation = operation;
      refuseUnstorableBody(body);
      const answer = await server.executeHTTPGraphQLRequest({
        httpGraphQLRequest: { method: 'POST', headers: headersOf(exchange.req), search: '', body },
        context: () => Promise.resolve(contextOf(viewer, world)),
      });
      if (answer.body.kind !== 'complete') throw new Error('the answer came in parts');
      exchange.status = answer.status ?? 200;
      for (const [name, value] of answer.headers) exchange.set(name, value);
      exchange.body = answer.body.string;
    } catch (error) {
      refuse(exchange, error, options.report);
    }
  };
}

/** Changes of a dashboard take turns with the others of its account; internal tools act for many. */
function contextOf(viewer: Viewer, world: DoorOptions['world']): Context {
  const options = viewer.kind === 'dashboard' ? { turn: viewer.account } : {};
  const transact: Context['transact'] = (work) => world.transact(work, options);
  return { ...world, transact, viewer, door: 'graphql' };
}

function operationOf(body: unknown): string | undefined {
  const { operationName, query } = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof operationName === 'string') return operationName.slice(0, longestName);
  // An operation without a name is known by its first field.
  return typeof query === 'string'
    ? /\{\s*(?:\w+\s*:\s*)?(\w+)/.exec(query.slice(0, 2_000))?.[1]?.slice(0, longestName)
    : undefined;
}

async function admit(request: IncomingMessage, { read }: DoorOptions['world']): Promise<Viewer> {
  const bearer = bearerOf(request.headersDistinct['authorization'] ?? []);
  if ('fault' in bearer) {
    throw unauthorized(bearer.fault === 'missing' ? 'missing_credential' : 'invalid_credential');
  }
  const viewer = await authenticate(read, bearer.token);
  if (typeof viewer === 'string') throw unauthorized(viewer);
  if (viewer.kind === 'internal' || viewer.kind === 'dashboard') return viewer;
  throw unauthorized('credential_kind_not_accepted');
}

function unauthorized(code: keyof typeof details): Refused {
  const detail = details[code];
  const challenge = code === 'missing_credential' ? '' : ', error="invalid_token"';
  return new Refused(
    401,
    { code: 'unauthorized', detail, errors: [{ code, detail }] },
    { 'WWW-Authenticate': `Bearer realm="internal"${challenge}` },
  );
}

function methodNotAllowed(): Refused {
  const code = 'method_not_allowed';
  const detail = 'Operations are sent by POST.';
  return new Refused(405, { code, detail, errors: [{ code, detail }] }, { Allow: 'POST' });
}

function headersOf({ headers }: IncomingMessage): HeaderMap {
  const map = new HeaderMap();
  for (const [name, value] of Object.entries(headers)) map.set(name, String(value));
  return map;
}

function refuse(exchange: Exchange, error: unknown, report: Report): void {
  const { status, refusal, headers } = error instanceof Refused ? error : judge(error, report);
  exchange.status = status;
  for (const [name, value] of Object.entries(headers)) exchange.set(name, value);
  exchange.set('Content-Type', 'application/json; charset=utf-8');
  exchange.body = JSON.stringify({
    errors: [{ message: refusal.detail, extensions: { ...refusal } }],
  });
}

/** What the reader of bodies throws; judged by its members, since it is another folder's. */
interface BodyFault extends Omit<Refusal, 'retryAfterSeconds'> {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

function judge(error: unknown, report: Report): Refused {
  if (isBodyFault(error)) {
    const { status, code, detail, errors, headers } = error;
    return new Refused(status, { code, detail, errors }, headers);
  }
  const refusal = refusalOf(error);
  if (refusal.code === 'service_unavailable') {
    return new Refused(503, refusal, { 'Retry-After': String(refusal.retryAfterSeconds) });
  }
  if (refusal.code !== 'internal_error') return new Refused(422, refusal);
  report(error);
  return new Refused(500, refusal);
}

function isBodyFault(error: unknown): error is Error & BodyFault {
  return error instanceof Error && 'status' in error && 'code' in error && 'errors' in error;
}

/** What no text may hold is refused wherever it stands, before GraphQL looks at it (H92). */
function refuseUnstorableBody(body: unknown): void {
  const { query, variables } = (body ?? {}) as { query?: unknown; variables?: unknown };
  const reason = typeof query === 'string' ? unstorable(query) : undefined;
  const faults = variables == null ? [] : mapFaults('variables', variables);
  if (reason !== undefined)
    faults.unshift({ code: 'invalid_value', detail: reason, param: 'query' });
  if (faults.length > 0) throw validationFailed(faults);
}
