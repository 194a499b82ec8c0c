import type {
  PostResult,
  Outcome,
  UnreachableReason,
  RetryAfter,
} from '../domain/delivery/outcome.js';
import { AttemptTracer, type TraceOptions } from './attempt-tracer.js';
import {
  type ContentSink,
  type ResponseHead,
  MalformedResponse,
  trimmed,
} from './response-parser.js';
import type { Connection, ResponseHandler, ConnectionPool } from './connection.js';
import { ProxyFault } from './proxy.js';
import { BlockedDestination } from './ssrf-guard.js';

/** An exchange accepts at most this many informational responses (1xx). */
const maxInformational = 16;
/** How long the body of a 2xx may take after its headers. */
const acceptedBodyMs = 1_000;

/**
 * One request and its response under one timeout. Status line and headers decide the outcome. The body is
 * read only to reuse the connection and cannot change the outcome; after a 2xx for at most
 * {@link acceptedBodyMs}, because the attempt holds its slot meanwhile. The attempt ends when its
 * connection is released or closed, so the limit of attempts also limits sockets, except for the few that
 * a connection tries while it opens.
 */
export class Exchange implements ResponseHandler {
  readonly #connections: ConnectionPool;
  readonly #done: (end: PostResult | Error) => void;
  readonly #startedAt = performance.now();
  readonly #at: number;
  readonly #timeoutMs: number;
  readonly ready?: (send: () => void) => void;
  readonly written?: () => void;
  readonly #stopWaiting: () => void;
  readonly #tracer: AttemptTracer | undefined;
  #connection: Connection | undefined;
  #deadline: NodeJS.Timeout;
  /** How long the gate held the request; counts neither for the timeout nor for the duration. */
  #heldMs = 0;
  #sent = false;
  #ended = false;
  #bodyIsLimited = false;
  #informational = 0;
  #attempt: PostResult | undefined;

  constructor(
    message: PreparedRequest,
    connections: ConnectionPool,
    timeoutMs: number,
    done: (end: PostResult | Error) => void,
  ) {
    this.#at = message.at.getTime();

    if (message.trace) {
      const tracer = new AttemptTracer(message.trace, this.#startedAt);
      this.#tracer = tracer;
      if (message.trace.successes) this.written = () => tracer.written();
    }

    this.#connections = connections;
    this.#done = done;
    this.#timeoutMs = timeoutMs;

    const { gate } = message;
    if (gate) this.ready = (send) => void this.#hold(gate, send);
    this.#deadline = setTimeout(() => this.#expire(), timeoutMs);

    this.#stopWaiting = connections.acquire(message, (connection) => {
      this.#connection = connection;
      this.#tracer?.acquired(connection);
      try {
        connection.dispatch(requestBytes(message), this);
      } catch (error) {
        this.abort(error as Error);
      }
    });
  }

  /** Aborts the exchange; it ends with `error` instead of an attempt. */
  abort(error: Error): void {
    this.#end(false, error);
  }

  async #hold(gate: SendGate, send: () => void): Promise<void> {
    const heldAt = performance.now();
    clearTimeout(this.#deadline);
    try {
      await gate();
    } catch (error) {
      this.abort(error as Error);
    }
    if (this.#ended) return;
    this.#heldMs += performance.now() - heldAt;
    this.#deadline = setTimeout(() => this.#expire(), this.#timeoutMs - this.#elapsedMs);
    send();
  }

  get #elapsedMs(): number {
    return performance.now() - this.#startedAt - this.#heldMs;
  }

  sent(): void {
    this.#sent = true;
    this.#tracer?.sent();
  }

  firstByte(): void {
    this.#tracer?.firstByte();
  }

  head({ status, retryAfter }: ResponseHead, text: string): ContentSink | undefined {
    if (status >= 200) {
      const nowMs = this.#at + performance.now() - this.#startedAt;
      this.#recordOutcome(outcomeOfResponse(status, retryAfter, nowMs));
      return this.#tracer?.head(text);
    }
    if (++this.#informational > maxInformational) {
      this.#finish(false, { kind: 'unreachable', reason: 'protocol_error' });
    }
    return undefined;
  }

  incomplete(): void {
    if (this.#bodyIsLimited || this.#attempt?.outcome.kind !== 'accepted') return;
    this.#bodyIsLimited = true;

    if (this.#timeoutMs - this.#elapsedMs <= acceptedBodyMs) return;
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.#expire(), acceptedBodyMs);
  }

  ended(reusable: boolean): void {
    this.#tracer?.completed();
    this.#finish(reusable, { kind: 'unreachable', reason: 'protocol_error' });
  }

  failed(error: Error): void {
    if (error instanceof ProxyFault) {
      this.abort(error);
      return;
    }

    this.#tracer?.failed(error);
    this.#finish(false, outcomeOfError(error));
  }

  /**
   * Reads the sockets once more before it gives up. A process that was suspended runs its timers first,
   * although the response may already have arrived, and an accepted event must not be sent again. That
   * cannot happen before the request is sent.
   */
  #expire(): void {
    if (this.#sent) setImmediate(() => this.#giveUp());
    else this.#giveUp();
  }

  #giveUp(): void {
    const proxyFault = this.#connection?.opening?.proxyFault?.();
    if (proxyFault) {
      this.abort(proxyFault);
      return;
    }

    if (this.#attempt) this.#tracer?.bodyLeftOpen();
    this.#finish(false, { kind: 'unreachable', reason: this.#lateReason() });
  }

  #lateReason(): UnreachableReason {
    if (this.#sent) return 'timeout';
    const { connectedAt, securedAt } = this.#connection?.opening ?? {};
    return connectedAt !== undefined && securedAt === undefined ? 'tls_timeout' : 'connect_timeout';
  }

  #recordOutcome(outcome: Outcome): PostResult {
    const durationMs = Math.round(this.#elapsedMs);
    return (this.#attempt ??= { outcome, durationMs });
  }

  /** @param fallback the outcome unless status and headers have arrived */
  #finish(reusable: boolean, fallback: Outcome): void {
    const hasStatus = this.#attempt !== undefined;
    const attempt = this.#recordOutcome(fallback);
    const trace = this.#tracer?.end(attempt.outcome, hasStatus);
    this.#end(reusable, trace ? { ...attempt, trace } : attempt);
  }

  #end(reusable: boolean, end: PostResult | Error): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#deadline);
    if (!this.#connection) this.#stopWaiting();
    else if (reusable) this.#connections.release(this.#connection);
    else this.#connections.discard(this.#connection);
    this.#done(end);
  }
}

function outcomeOfResponse(status: number, header: string | undefined, nowMs: number): Outcome {
  if (status < 300) return { kind: 'accepted', status };
  if (header === undefined || (status !== 429 && status !== 503))
    return { kind: 'rejected', status };
  const retryAfter = parseRetryAfter(header, nowMs);
  return retryAfter ? { kind: 'rejected', status, retryAfter } : { kind: 'rejected', status };
}

const reasons: Readonly<Record<string, UnreachableReason>> = {
  ERR_NAME_UNRESOLVED: 'dns_failure',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  EHOSTUNREACH: 'host_unreachable',
  ENETUNREACH: 'host_unreachable',
  EADDRNOTAVAIL: 'host_unreachable',
  ETIMEDOUT: 'connect_timeout',
  EPROTO: 'tls_failure',
  CERT_HAS_EXPIRED: 'tls_certificate_expired',
  CERT_NOT_YET_VALID: 'tls_certificate_not_yet_valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls_certificate_wrong_host',
  HOSTNAME_MISMATCH: 'tls_certificate_wrong_host',
};

/** Codes by pattern: first certificate errors of OpenSSL, then handshake errors, then answers of the proxy. */
const families: readonly (readonly [RegExp, UnreachableReason])[] = [
  [
    /^(CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_|PATH_LENGTH_)/,
    'tls_certificate_untrusted',
  ],
  [/^ERR_(SSL|TLS)_/, 'tls_failure'],
  [/^PROXY_STATUS_/, 'proxy_connect_failed'],
];

/** Maps a connection error to an outcome; unknown errors have the reason `other`. */
function outcomeOfError(error: Error): Outcome {
  if (error instanceof BlockedDestination) {
    return { kind: 'refused', reason: 'blocked_destination' };
  }
  return { kind: 'unreachable', reason: reasonOf(error) };
}

function reasonOf(error: Error): UnreachableReason {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (error instanceof MalformedResponse) return 'protocol_error';
  return reasons[code] ?? families.find(([shape]) => shape.test(code))?.[1] ?? 'other';
}

const maxDelayMs = 24 * 3_600_000;
const seconds = /^\d+$/;
/** The preferred form of an HTTP date and its two obsolete forms (RFC 9110 §5.6.7). */
const imfOrRfc850 =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} [\d:]{8} GMT$/;
const asctime = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4}$/;

/**
 * Parses `Retry-After` (RFC 9110 §10.2.3), seconds or an HTTP date relative to `nowMs`, as a delay of at
 * most 24 hours; undefined for other values and for past dates.
 */
export function parseRetryAfter(value: string, nowMs: number): RetryAfter | undefined {
  const text = trimmed(value);
  const delayMs = seconds.test(text) ? Number(text) * 1_000 : dateOf(text) - nowMs;
  if (Number.isNaN(delayMs) || delayMs < 0) return undefined;
  return { delayMs: Math.min(delayMs, maxDelayMs) };
}

function dateOf(text: string): number {
  if (imfOrRfc850.test(text)) return Date.parse(text);
  return asctime.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
}

/**
 * Resolves when a request may be sent whose connection is open. Throws if it may not be sent any more; the
 * request then fails with that error.
 */
export type SendGate = () => Promise<void>;

/** A complete request. */
export interface PreparedRequest {
  /** `https://` with the host and, unless it is 443, the port. */
  readonly origin: string;
  /** The sending account. */
  readonly account: string;
  /** Path and query, URL-encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** When the request starts. */
  readonly at: Date;
  /** What is traced. Defaults to nothing. */
  readonly trace?: TraceOptions | undefined;
  /** Without it, the request is sent as soon as its connection is open. */
  readonly gate?: SendGate | undefined;
}

/** Our path or a header has characters that would break the request. */
export class UnsendableHeaders extends Error {
  override readonly name = 'UnsendableHeaders';

  constructor() {
    super('The path or a header has characters that HTTP does not allow.');
  }
}

const sendablePath = /^[\x21-\x7e]+$/;
const sendableName = /^[!#$%&'*+\-.^_`|~\w]+$/;
const sendableValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Encodes a POST (RFC 9112) in one buffer, because each write costs a TLS record.
 * @throws UnsendableHeaders
 */
export function requestBytes({ origin, path, headers, body }: PreparedRequest): Buffer {
  const host = origin.slice('https://'.length);
  if (!sendablePath.test(path)) throw new UnsendableHeaders();

  let head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: keep-alive\r\n`;

  for (const name in headers) {
    const value = headers[name] ?? '';
    if (!sendableName.test(name) || !sendableValue.test(value)) throw new UnsendableHeaders();
    head += `${name}: ${value}\r\n`;
  }

  head += `Content-Length: ${body.length}\r\n\r\n`;

  const bytes = Buffer.allocUnsafe(head.length + body.length);
  bytes.write(head, 0, 'latin1');
  body.copy(bytes, head.length);

  return bytes;
}
