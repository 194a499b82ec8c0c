import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { HTTPGraphQLResponse } from '@apollo/server';
import type { Viewer } from '../domain/account/credentials.js';
import { validationFailed } from '../domain/errors.js';
import { mapFaults, unstorable } from '../domain/text.js';
import type { Aborting, Transact } from '../domain/tx.js';
import { admit, type Authenticator, count, counted, type Limits } from './admission.js';
import type { Context } from './context.js';
import { busy, Declined, methodNotAllowed, notAcceptable } from './declined.js';
import { refusalOf, type Report } from './errors.js';
import { mediaTypes } from './media-type.js';
import { QuotaUsedUp } from './quota-used-up.js';
import type { Refusal } from './refusal.js';

/** The part of a Koa context that is needed; whoever serves HTTP brings the rest. */
export interface Exchange {
  readonly req: IncomingMessage;
  status: number;
  body: unknown;
  set(name: string, value: string): void;
  /** The type of these that the client prefers; false for none. */
  accepts(...types: string[]): string | false;
  /** Who did what, for the log line; filled in as it becomes known. */
  readonly state: { caller?: Caller; deadline?: TimeLimit };
}

/** The time limit of a request; a replay takes longer than others. */
export interface TimeLimit extends Aborting {
  extend(limitMs: number): void;
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

/** Runs one operation that was POSTed as JSON; refusals of GraphQL are answers too. */
export type AnswerOperation = (
  post: { readonly headers: IncomingHttpHeaders; readonly body: unknown },
  context: Context,
) => Promise<HTTPGraphQLResponse>;

/** What /graphql is made of. */
export interface DoorOptions {
  readonly answer: AnswerOperation;
  /** What resolvers get besides the viewer. */
  readonly world: Omit<Context, 'viewer' | 'counted' | 'door' | 'transact'> & {
    readonly transact: Transact;
  };
  readonly limits: Limits;
  /** Operations at once; one more is refused before anything is asked of the database. */
  readonly atOnce: number;
  /** How long a request may take that waits for an attempt of a replay. */
  readonly replayLimitMs: number;
  readonly authenticator: Authenticator;
  /** Works with a JSON body (H92); what it throws may say `status`, `code`, `detail` and `errors`. */
  readonly withBody: <T>(
    request: IncomingMessage,
    work: (body: unknown) => Promise<T>,
  ) => Promise<T>;
  /** Told of faults of ours. */
  readonly report: Report;
  /** Told the code of each refusal before GraphQL begins. */
  readonly countError: (code: string) => void;
}

/**
 * Serves /graphql: POST of one operation as JSON, with an internal credential or a dashboard token.
 * The order is that of the public interface: who, then what (H47). Refusals before GraphQL begins
 * have the form of a GraphQL answer, and the status that a Problem would have.
 */
export function serveGraphQL(options: DoorOptions): (exchange: Exchange) => Promise<void> {
  const { world, withBody } = options;
  let underWay = 0;
  return async (exchange) => {
    underWay += 1;
    try {
      if (underWay > options.atOnce) throw busy(options.atOnce);
      const { limits, authenticator } = options;
      const viewer = await admit(exchange.req, { read: world.read, authenticator });
      const { account, credential, kind } = viewer;
      const caller: Caller = { account, credential, kind };
      exchange.state.caller = caller;
      setAll(exchange, await count(viewer, limits));
      if (exchange.req.method !== 'POST') throw methodNotAllowed();
      const accept = exchange.accepts(...mediaTypes);
      if (accept === false) throw notAcceptable();
      const headers = { ...exchange.req.headers, accept };
      const context = contextOf(viewer, options, exchange.state.deadline);
      const answer = await withBody(exchange.req, (body) => {
        const operation = operationOf(body);
        if (operation !== undefined) caller.operation = operation;
        refuseUnstorableBody(body);
        return options.answer({ headers, body }, context);
      });
      if (answer.body.kind !== 'complete') throw new Error('the answer came in parts');
      exchange.status = answer.status ?? 200;
      for (const [name, value] of answer.headers) exchange.set(name, value);
      exchange.body = answer.body.string;
    } catch (error) {
      refuse(exchange, error, options);
    } finally {
      underWay -= 1;
    }
  };
}

/** Changes of a dashboard take turns with the others of its account; internal tools act for many. */
function contextOf(
  viewer: Viewer,
  { world, limits, replayLimitMs }: DoorOptions,
  deadline: TimeLimit | undefined,
): Context {
  const options = {
    ...(viewer.kind === 'dashboard' && { turn: viewer.account }),
    ...(deadline && { signal: deadline }),
  };
  const transact: Context['transact'] = (work) => world.transact(work, options);
  return {
    ...{ ...world, transact, viewer, door: 'graphql' },
    settled: (chain) => {
      deadline?.extend(replayLimitMs);
      return world.settled(chain);
    },
    counted: (policy, work) => counted(viewer, limits, policy, work),
  };
}

function operationOf(body: unknown): string | undefined {
  const { operationName, query } = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof operationName === 'string') return operationName.slice(0, longestName);
  // An operation without a name is known by its first field.
  return typeof query === 'string'
    ? /\{\s*(?:\w+\s*:\s*)?(\w+)/.exec(query.slice(0, 2_000))?.[1]?.slice(0, longestName)
    : undefined;
}

function refuse(exchange: Exchange, error: unknown, { report, countError }: DoorOptions): void {
  const { status, refusal, headers } = error instanceof Declined ? error : judge(error, report);
  countError(refusal.code);
  exchange.status = status;
  setAll(exchange, headers);
  exchange.set('Content-Type', 'application/json; charset=utf-8');
  exchange.body = JSON.stringify({
    errors: [{ message: refusal.detail, extensions: { ...refusal } }],
  });
}

function setAll(exchange: Exchange, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) exchange.set(name, value);
}

/** What the reader of bodies and the limits throw; judged by its members, since they are another folder's. */
interface BodyFault extends Omit<Refusal, 'retryAfterSeconds'> {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

function judge(error: unknown, report: Report): Declined {
  if (isBodyFault(error)) {
    const { status, code, detail, errors, headers } = error;
    return new Declined(status, { code, detail, errors }, headers);
  }
  const refusal = refusalOf(error);
  if (error instanceof QuotaUsedUp) return new Declined(429, refusal, error.headers);
  if (refusal.code === 'service_unavailable') {
    return new Declined(503, refusal, { 'Retry-After': String(refusal.retryAfterSeconds) });
  }
  if (refusal.code !== 'internal_error') return new Declined(422, refusal);
  report(error);
  return new Declined(500, refusal);
}

function isBodyFault(error: unknown): error is Error & BodyFault {
  return error instanceof Error && 'status' in error && 'code' in error && 'errors' in error;
}

/** How JSON.stringify writes what no text may hold, and the name that no member may have. */
const suspect = /\\u0000|\\ud[89a-f]|"__proto__":/;

/** What no text may hold is refused wherever it stands, before GraphQL looks at it (H92). */
function refuseUnstorableBody(body: unknown): void {
  const { query, variables } = (body ?? {}) as { query?: unknown; variables?: unknown };
  const isMap = variables == null || (typeof variables === 'object' && !Array.isArray(variables));
  // Looking at each value of a large body would take many times as long.
  if (isMap && !suspect.test(JSON.stringify([query, variables]))) return;
  const reason = typeof query === 'string' ? unstorable(query) : undefined;
  const faults = variables == null ? [] : mapFaults('variables', variables);
  if (reason !== undefined)
    faults.unshift({ code: 'invalid_value', detail: reason, param: 'query' });
  if (faults.length > 0) throw validationFailed(faults);
}
