/** A request with everything decided: where, and which bytes. */
export interface Message {
  /** `https://` with host and, unless it is 443, port. */
  readonly origin: string;
  /** Whose request it is. */
  readonly account: string;
  /** As a URL spells it, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** When it begins. */
  readonly at: Date;
}

/** A path or header holds what would end it on the wire: a fault of ours, not of the receiver. */
export class UnsendableHeaders extends Error {
  override readonly name = 'UnsendableHeaders';

  constructor() {
    super('a path or a header cannot be sent');
  }
}

const sendablePath = /^[\x21-\x7e]+$/;
const sendableName = /^[!#$%&'*+\-.^_`|~\w]+$/;
const sendableValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * A POST as it goes over the wire (RFC 9112), in one piece because each write costs a TLS record.
 * @throws UnsendableHeaders
 */
export function requestBytes({ origin, path, headers, body }: Message): Buffer {
  const host = origin.slice('https://'.length);
  if (!sendablePath.test(path)) throw new UnsendableHeaders();
  let head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`;
  for (const name in headers) {
    const value = headers[name] ?? '';
    if (!sendableName.test(name) || !sendableValue.test(value)) throw new UnsendableHeaders();
    head += `${name}: ${value}\r\n`;
  }
  head += `content-length: ${body.length}\r\n\r\n`;
  const bytes = Buffer.allocUnsafe(head.length + body.length);
  bytes.write(head, 0, 'latin1');
  body.copy(bytes, head.length);
  return bytes;
}
