import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { makeId } from '../domain/id.js';
import type { Logger } from '../process/log.js';
import { headerValues } from '../api/header-values.js';
import { invalidKey } from '../rest/idempotency-key.js';
import { type ProblemCode } from '../api/problem-table.js';
import { toProblem, ApiError } from '../api/problem.js';
import { commonHeaders } from './reply.js';

/** What Node's parser says of a request that it could not read. */
export interface ParseError extends Error {
  readonly code?: string;
  /** What of the packet was read before the fault. */
  readonly bytesParsed?: number;
  readonly rawPacket?: Buffer;
}

/**
 * Refuses what is well-formed for Node's parser but leaves open which host is meant: no or several
 * Host headers, or a target that is neither a path nor an absolute URL (RFC 9112 §3.2). The request
 * with an absolute URL becomes that for its path; its host counts, the header does not.
 * @throws Refused malformed_request
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

/** Host and path with query; a user name before the host is refused (RFC 9110 §4.2.4). */
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

/** The refusal that a fault of the parser means. */
export function toParseApiError(parseError: ParseError): ApiError {
  if (parseError.code === 'HPE_INVALID_HEADER_TOKEN' && isNulInKey(parseError)) {
    return invalidKey('nul_byte', 'must not contain a NUL byte');
  }
  const [code, detail] = errorsByCode[parseError.code ?? ''] ?? unparsable;
  return new ApiError(code, detail);
}

/** Whether the faulty line is the Idempotency-Key's and holds a NUL (H54). */
function isNulInKey({ rawPacket, bytesParsed = 0 }: ParseError): boolean {
  if (!rawPacket) return false;
  const at = Math.min(bytesParsed, rawPacket.length - 1);
  const start = rawPacket.lastIndexOf('\n', at - 1) + 1;
  const end = rawPacket.indexOf('\n', at);
  const line = rawPacket.subarray(start, end === -1 ? undefined : end).toString('latin1');
  return /^idempotency-key[ \t]*:/i.test(line) && line.includes('\0');
}

/** How long a refused connection may take to be read before it is cut. */
const lingerMs = 1_000;

/**
 * Answers a request that could not be parsed with a Problem and ends the connection; a connection
 * on which another answer is under way is only cut.
 * @returns the code and the request id, for the log; undefined when nothing was sent
 */
export function respondToParseError(
  parseError: ParseError,
  socket: Duplex,
  origin: string,
): { readonly code: string; readonly requestId: string } | undefined {
  if (!socket.writable || parseError.code === 'ECONNRESET' || isResponding(socket)) {
    // Without the fault: it holds the packet, and with it the credential, for whoever logs it.
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
  // Closing with bytes unread would reset the connection before the client reads its refusal.
  socket.resume();
  setTimeout(() => socket.destroy(), lingerMs).unref();
  return { code, requestId };
}

/**
 * Takes note of what Koa saw go wrong after its stages: a connection that broke is no fault of ours,
 * and the error of the parser holds the packet that it could not read.
 */
export function logKoaError(log: Logger): (error: Error & { readonly code?: string }) => void {
  return (error) => {
    const { code = '', message } = error;
    if (/^(?:HPE_|ERR_STREAM_|ECONNRESET$|EPIPE$)/.test(code)) {
      log.debug({ code, message }, 'a connection broke');
    } else log.error({ err: error }, 'koa caught an error');
  };
}

/** Whether a complete earlier request is being answered, or this one's answer has begun. */
function isResponding(socket: Duplex): boolean {
  const { _httpMessage: response } = socket as { _httpMessage?: ServerResponse | null };
  return response != null && (response.headersSent || response.req.complete);
}
