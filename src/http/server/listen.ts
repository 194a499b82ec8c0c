import {
  createServer,
  type RequestListener,
  type Server,
  type ServerResponse,
  type IncomingMessage,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { makeId } from '../../domain/values/id.js';
import type { Logger } from '../../process/log.js';
import { commonHeaders } from '../exchange.js';
import { headerValues } from '../headers.js';
import { type ProblemCode, toProblem, ApiError, invalidIdempotencyKey } from '../problems.js';

interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly origin: string;
  readonly log: Logger;
}

/** An open listener. */
interface Listening {
  /** Such as `http://127.0.0.1:8080`. */
  readonly address: string;
  /**
   * Asks clients to disconnect: each response from now on has `Connection: close`, also those in
   * progress. It serves requests for `durationMs`, and for at least 250 ms while connections are
   * open.
   */
  drain(durationMs: number): Promise<void>;
  /** Accepts no more connections and waits for the requests in progress. */
  close(): Promise<void>;
}

/**
 * Timeouts for the arrival of a request. Load balancers must close idle connections before
 * keepAliveTimeoutMs.
 */
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;
const keepAliveTimeoutMs = 65_000;
const checkEveryMs = 1_000;
const idleCheckMs = 50;
/** A client that sends requests continuously sees `Connection: close` within this time. */
const minDrainMs = 250;

/** Starts an HTTP server. Each error is a Problem, even one of the HTTP parser. */
export async function listen(
  listener: RequestListener,
  options: ListenOptions,
): Promise<Listening> {
  const { host, port, origin, log } = options;
  const server = createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionsCheckingInterval: checkEveryMs,
    // The app refuses it with a Problem.
    requireHostHeader: false,
  });

  // The limit is 16 KiB for all headers. With a maximum count, Node would drop headers silently.
  server.maxHeadersCount = 0;

  let closing = false;
  const inFlight = new Set<ServerResponse>();
  const serve: RequestListener = (request, response) => {
    if (closing) response.setHeader('Connection', 'close');
    inFlight.add(response);
    response.once('close', () => inFlight.delete(response));
    listener(request, response);
  };

  server.on('request', serve);

  // Ignores unknown expectations, as RFC 9110 §10.1.1 allows.
  server.on('checkExpectation', serve);

  const rejectUnparsed = (parseError: ParseError, socket: Duplex) => {
    const response = respondToParseError(parseError, socket, origin);
    if (response)
      log.info({ request_id: response.requestId, code: response.code }, 'malformed request');
  };

  server.on('clientError', rejectUnparsed);

  // This is not a proxy: it refuses CONNECT with a Problem.
  server.on('connect', (_request, socket) => rejectUnparsed(new Error('CONNECT'), socket));
  await bind(server, port, host);

  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`,
    async drain(durationMs) {
      closing = true;
      for (const response of inFlight) {
        if (!response.headersSent) response.setHeader('Connection', 'close');
      }
      const drainMs = (await isConnected(server)) ? Math.max(durationMs, minDrainMs) : durationMs;
      await new Promise((resolve) => setTimeout(resolve, drainMs));
    },
    close: () => {
      closing = true;
      return new Promise((resolve) => {
        // A connection becomes idle only after its response, which can be after this call.
        const idleCheck = setInterval(() => server.closeIdleConnections(), idleCheckMs);
        server.close(() => {
          clearInterval(idleCheck);
          resolve();
        });
        server.closeIdleConnections();
      });
    },
  };
}

function isConnected(server: Server): Promise<boolean> {
  return new Promise((resolve) =>
    server.getConnections((error, count) => resolve(error !== null || count > 0)),
  );
}

function bind(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** An error of Node's HTTP parser. */
interface ParseError extends Error {
  readonly code?: string;
  /** Bytes of the packet that the parser read before the error. */
  readonly bytesParsed?: number;
  readonly rawPacket?: Buffer;
}

/**
 * Refuses requests that Node's parser accepts but whose host is ambiguous (RFC 9112 §3.2):
 * - The Host header is missing or repeated.
 * - The target is neither a path nor an absolute URL.
 * Rewrites an absolute URL to its path; the URL's host replaces the Host header.
 * @throws ApiError malformed_request
 */
export function rejectAmbiguousRequest(request: IncomingMessage): void {
  const hosts = headerValues(request, 'host');
  if (hosts.length > 1 || (hosts.length === 0 && request.httpVersion === '1.1')) {
    throw malformed('The request must have exactly one Host header.');
  }
  const { url = '' } = request;
  if (url.startsWith('/') || url === '*') return;
  const [, host, path = ''] = absoluteForm.exec(url) ?? [];
  if (host === undefined) throw malformed('The request target must be a path or an http URL.');
  request.url = path.startsWith('/') ? path : `/${path}`;
  request.headers.host = host;
}

/**
 * Captures the host, and the path with its query. A user name before the host does not match (RFC
 * 9110 §4.2.4).
 */
const absoluteForm = /^https?:\/\/([^/?#@\\]+)([/?][^#]*)?$/i;

function malformed(detail: string): ApiError {
  return new ApiError('malformed_request', detail);
}

const unparsable = ['malformed_request', 'The HTTP request could not be parsed.'] as const;

const errorsByCode: Readonly<Record<string, readonly [ProblemCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The request headers must be at most 16 KiB.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['payload_too_large', 'The chunk extensions are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time.'],
};

/** Maps an error of the parser to the error of the API. */
export function toParseApiError(parseError: ParseError): ApiError {
  if (parseError.code === 'HPE_INVALID_HEADER_TOKEN' && isNulInKey(parseError)) {
    return invalidIdempotencyKey('nul_byte', 'must not contain a NUL byte');
  }
  const [code, detail] = errorsByCode[parseError.code ?? ''] ?? unparsable;
  return new ApiError(code, detail);
}

/** Whether the parser failed at an Idempotency-Key line that contains NUL. */
function isNulInKey({ rawPacket, bytesParsed = 0 }: ParseError): boolean {
  if (!rawPacket) return false;
  const at = Math.min(bytesParsed, rawPacket.length - 1);
  const start = rawPacket.lastIndexOf('\n', at - 1) + 1;
  const end = rawPacket.indexOf('\n', at);
  const line = rawPacket.subarray(start, end === -1 ? undefined : end).toString('latin1');
  return /^idempotency-key[ \t]*:/i.test(line) && line.includes('\0');
}

/** How long a client may take to read the error before the connection is cut, in milliseconds. */
const lingerMs = 1_000;

/**
 * Sends a Problem for a request that could not be parsed, and closes the connection. If the
 * connection still carries another response, only closes it.
 * @returns the code and request id for the log; undefined if nothing was sent
 */
function respondToParseError(
  parseError: ParseError,
  socket: Duplex,
  origin: string,
): { readonly code: string; readonly requestId: string } | undefined {
  if (!socket.writable || parseError.code === 'ECONNRESET' || isResponding(socket)) {
    // Does not pass the error on: it holds the packet, and so the credential, and a listener may
    // log it.
    socket.destroy();
    return undefined;
  }

  const requestId = makeId('req', new Date());
  const { status, code, headers, text } = toProblem(toParseApiError(parseError), origin, requestId);
  const all = {
    ...commonHeaders(requestId),
    ...headers,
    Date: new Date().toUTCString(),
    'Content-Length': String(Buffer.byteLength(text)),
    Connection: 'close',
  };

  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);

  socket.end([`HTTP/1.1 ${status} ${code}`, ...lines, '', text].join('\r\n'));

  // Closing with unread bytes would reset the connection before the client reads the error.
  socket.resume();
  setTimeout(() => socket.destroy(), lingerMs).unref();

  return { code, requestId };
}

/**
 * Creates the handler of errors that Koa reports after its middleware. A broken connection is logged
 * at debug and without the error, whose packet may hold a credential.
 */
export function logKoaError(log: Logger): (error: Error & { readonly code?: string }) => void {
  return (error) => {
    const { code = '', message } = error;
    if (/^(?:HPE_|ERR_STREAM_|ECONNRESET$|EPIPE$)/.test(code)) {
      log.debug({ code, message }, 'connection error');
    } else log.error({ err: error }, 'unhandled error in Koa');
  };
}

/** Whether the connection is answering an earlier complete request, or has begun to answer this one. */
function isResponding(socket: Duplex): boolean {
  const { _httpMessage: response } = socket as { _httpMessage?: ServerResponse | null };
  return response != null && (response.headersSent || response.req.complete);
}
