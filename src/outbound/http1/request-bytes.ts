import type { TraceOptions } from './attempt-tracer.js';

/**
 * Resolves when a request may be sent whose connection is open now. A request that may not be sent
 * any more ends with the error that it throws.
 */
export type SendGate = () => Promise<void>;

/** A complete request. */
export interface Message {
  /** `https://` with the host and, unless it is 443, the port. */
  readonly origin: string;
  /** The sending account. */
  readonly account: string;
  /** URL-encoded, with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Start of the request. */
  readonly at: Date;
  /** Defaults to none. */
  readonly trace?: TraceOptions | undefined;
  /** Defaults to none: the request is sent as soon as its connection is open. */
  readonly gate?: SendGate | undefined;
}

/** A path or header has characters that would break the request: a bug of ours, not of the receiver. */
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
 * Encodes a POST for the wire (RFC 9112). In one piece, because each write costs a TLS record.
 * @throws UnsendableHeaders
 */
export function requestBytes({ origin, path, headers, body }: Message): Buffer {
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
