// An exchange: what a request carries on its way (its state and its deadline), what it gets (a reply in one piece, or a
// stream that a handler writes), and how both are sent.
//
// Each stage leaves in the state what the listener needs in any case, also after an error: who asked, the headers of a
// counted request, the names for the log. A response begins before the deadline. Work that sees `aborted` stops; what
// it has committed, the client finds under its Idempotency-Key.
import type { ServerResponse, IncomingMessage } from 'node:http';
import type { Viewer } from '../domain/account/credentials.js';
import type { AbortState } from '../domain/transaction/tx.js';
import { type Problem, ApiError } from './problems.js';

/** A response whose body a handler writes after the headers were sent. */
export interface StreamedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly begin: (response: ServerResponse) => void;
}

/** A whole response. `text` is null without content, and a Buffer if the content is binary. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Values of Set-Cookie, besides one in the headers. */
  readonly cookies?: readonly string[];
  readonly text: string | Buffer | null;
}

/** What a listener knows of a request. Each stage adds what it finds. */
export interface RequestState {
  deadline: Deadline;
  /** The trace of the request; undefined when it is not recorded. */
  traceparent?: string | undefined;
  reply?: Reply | undefined;
  /** Headers of each response to a request that was counted, also of an error. */
  headers?: Reply['headers'];
  /** The response, if it is streamed. Then there is no `reply`. */
  streamed?: StreamedReply;
  /** Who asks, once the credential is known. */
  caller?: Pick<Viewer, 'account' | 'credential' | 'kind'>;
  /** Name of the request in logs and metrics. */
  operation?: string;
  /** Name of the GraphQL operation, for the log. */
  document?: string | undefined;
  /** The path without its secret, for the log. Defaults to the path with its ids redacted. */
  path?: string;
  /** Renders an error as a page. Without it, the client gets the Problem as JSON. */
  renderProblem?: (problem: Problem) => Pick<Problem, 'headers' | 'text'>;
}

/** The headers of a response with JSON. */
export const jsonHeaders: Reply['headers'] = { 'Content-Type': 'application/json; charset=utf-8' };

/** Creates the response that holds this value as JSON. */
export function jsonReply(status: number, body: unknown, headers: Reply['headers'] = {}): Reply {
  return { status, headers: { ...jsonHeaders, ...headers }, text: JSON.stringify(body) };
}

/** The Allow header of a path that is only read. */
export const readOnly = 'GET, HEAD, OPTIONS';

/**
 * Answers OPTIONS, and refuses a method that the path does not have.
 * @param allow the methods of the path, as its Allow header lists them
 * @returns undefined for a method that the path has
 * @throws ApiError method_not_allowed
 */
export function methodReply(method: string, allow: string): Reply | undefined {
  if (method === 'OPTIONS') return { status: 204, headers: { Allow: allow }, text: null };
  if (!allow.split(', ').includes(method)) throw methodNotAllowed(method, allow);
  return undefined;
}

/** The error for a method that is not among those of the path. */
export function methodNotAllowed(method: string, allow: string): ApiError {
  const headers = { Allow: allow };
  return new ApiError('method_not_allowed', `Method ${method} is not allowed here.`, { headers });
}

/** A response begins at most this many milliseconds after the headers of its request. */
const requestTimeoutMs = 10_000;

const retryAfterSeconds = 5;

/** Says whether the body is complete, and whether it is being read. */
type BodyState = Pick<IncomingMessage, 'complete' | 'readableFlowing'>;

/**
 * The timeout of one request. Work that sees `aborted` stops. The client finds what was already
 * committed under its Idempotency-Key.
 */
export class Deadline implements AbortState {
  readonly #request: BodyState;
  readonly #startedAt = performance.now();
  #limitMs: number;
  #timer: NodeJS.Timeout | undefined;
  #lastLook: NodeJS.Immediate | undefined;
  #aborted = false;
  #reject: ((error: ApiError) => void) | undefined;

  constructor(request: BodyState, limitMs = requestTimeoutMs) {
    this.#request = request;
    this.#limitMs = limitMs;
  }

  /** True once the request has timed out. */
  get aborted(): boolean {
    return this.#aborted;
  }

  /** Raises the timeout to `limitMs`, counted from the headers of the request. */
  extend(limitMs: number): void {
    this.#limitMs = Math.max(this.#limitMs, limitMs);
    if (this.#reject) this.#arm();
  }

  /**
   * Settles as `work` does, unless the timeout comes first.
   * @throws ApiError request_timeout when the body is incomplete, else service_unavailable
   */
  async enforce(work: Promise<unknown>): Promise<void> {
    const timeout = new Promise<never>((_, reject) => (this.#reject = reject));
    this.#arm();
    try {
      await Promise.race([work, timeout]);
    } finally {
      this.#disarm();
      this.#reject = undefined;
    }
  }

  /**
   * A process that stood still runs its timers before it reads its sockets, where PostgreSQL may
   * have answered already. So the sockets are read once more: what was committed is not refused.
   */
  #arm(): void {
    this.#disarm();
    const remainingMs = this.#limitMs - (performance.now() - this.#startedAt);
    this.#timer = setTimeout(() => {
      this.#lastLook = setImmediate(() => this.#expire());
    }, remainingMs);
  }

  #disarm(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#lastLook);
  }

  #expire(): void {
    this.#aborted = true;
    const { readableFlowing, complete } = this.#request;
    // An open connection would read the rest of the body as the next request.
    const close = complete ? {} : { Connection: 'close' };
    this.#reject?.(readableFlowing && !complete ? bodyTimedOut() : processingTimedOut(close));
  }
}

function bodyTimedOut(): ApiError {
  return new ApiError('request_timeout', 'The request did not arrive in time.');
}

function processingTimedOut(headers: Readonly<Record<string, string>>): ApiError {
  const detail = 'The service timed out. Retry later.';
  return new ApiError('service_unavailable', detail, { retryAfterSeconds, headers });
}

/** HSTS for a year, without subdomains: those are not ours. */
const onlyByTls = 'max-age=31536000';

/**
 * Headers of every response.
 * @param isSecure whether browsers reach this listener by TLS, and are to use nothing else
 */
export function commonHeaders(requestId: string, isSecure = false): Record<string, string> {
  const headers: Record<string, string> = {
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  };
  if (isSecure) headers['Strict-Transport-Security'] = onlyByTls;
  return headers;
}

/**
 * Sends a reply in one piece, without its content for HEAD (RFC 9110 §9.3.2).
 * @param before headers sent first; those of the reply replace the same names
 */
export function send(
  response: ServerResponse,
  { status, headers, cookies = [], text }: Reply,
  before: readonly (Reply['headers'] | undefined)[],
  headOnly: boolean,
): void {
  const list: string[] = [];
  for (const part of before) addHeaders(list, part);
  addHeaders(list, headers);
  for (const cookie of cookies) list.push('Set-Cookie', cookie);
  if (text === null) {
    response.writeHead(status, list).end();
    return;
  }
  list.push('Content-Length', String(Buffer.byteLength(text)));
  response.writeHead(status, list);
  response.end(headOnly ? undefined : text);
}

/** Sends the headers of a response, and lets its handler write the body. */
export function sendStreamed(
  response: ServerResponse,
  { status, headers, begin }: StreamedReply,
  before: Reply['headers'],
): void {
  response.writeHead(status, { ...before, ...headers });
  response.flushHeaders();
  begin(response);
}

/** Appends names and values alternately, as Node accepts them. Merging objects takes twenty times as long. */
function addHeaders(list: string[], headers: Reply['headers'] = {}): void {
  for (const [name, value] of Object.entries(headers)) {
    const known = list.findIndex((entry, index) => index % 2 === 0 && isSame(entry, name));
    if (known === -1) list.push(name, value);
    else list[known + 1] = value;
  }
}

/** Whether two names mean one header; Apollo writes its names in lower case. */
function isSame(one: string, other: string): boolean {
  return one.length === other.length && one.toLowerCase() === other.toLowerCase();
}
