/** A request with everything decided: where, and which bytes. */
export interface Message {
  /** `https://` with host and, unless it is 443, port. */
  readonly origin: string;
  /** As a URL spells it, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** When it begins. */
  readonly at: Date;
}

/** Headers hold what no header can hold: a fault of ours, not of the receiver. */
export class UnsendableHeaders extends Error {
  override readonly name = 'UnsendableHeaders';

  constructor() {
    super('a header has a name or a value that cannot be sent');
  }
}

const sendable =
  /^POST [\x21-\x7e]+ HTTP\/1\.1\r\n(?:[!#$%&'*+\-.^_`|~\w]+: [\t\x20-\x7e\x80-\xff]*\r\n)+$/;

/**
 * A POST as it goes over the wire (RFC 9112), in one piece because each write costs a TLS record.
 * @throws UnsendableHeaders
 */
export function requestBytes({ origin, path, headers, body }: Message): Buffer {
  const host = origin.slice('https://'.length);
  let head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`;
  for (const name in headers) head += `${name}: ${headers[name] ?? ''}\r\n`;
  head += `content-length: ${body.length}\r\n`;
  if (!sendable.test(head)) throw new UnsendableHeaders();
  const bytes = Buffer.allocUnsafe(head.length + 2 + body.length);
  bytes.write(head, 0, 'latin1');
  bytes.write('\r\n', head.length, 'latin1');
  body.copy(bytes, head.length + 2);
  return bytes;
}
