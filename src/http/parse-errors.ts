import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { makeId } from '../domain/id.js';
import type { Logger } from '../process/log.js';
import { headerValues } from '../api/headers.js';
import { invalidKey } from '../rest/idempotency.js';
import { type ProblemCode, toProblem, ApiError } from '../api/problem.js';
import { commonHeaders } from './reply.js';

/** An error of Node's HTTP parser. */
export interface ParseError extends Error {
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
    return invalidKey('nul_byte', 'must not contain a NUL byte');
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
export function respondToParseError(
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
 * Makes the handler of errors that Koa reports after its middleware. A broken connection is logged
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
