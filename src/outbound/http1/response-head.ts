import { MalformedResponse } from './malformed-response.js';
import { type HeaderFields, parseList, parseHeaderFields, trimmed } from './header-fields.js';

/** The part of a response head that the outcome needs. */
export interface ResponseHead {
  /** 100 to 999. */
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/** The length of a body: known, chunked, or until the connection ends (RFC 9112 §6.3). */
export type BodyFraming = number | 'chunked' | 'open';

/** A head with the rules for its connection. */
export interface ParsedHead extends ResponseHead {
  /** Undefined for a 1xx: another head follows. */
  readonly body: BodyFraming | undefined;
  /** Whether the connection may carry another request after the body. */
  readonly keepAlive: boolean;
  /** The receiver's idle timeout in milliseconds; undefined if it states none. */
  readonly idleMs: number | undefined;
}

/** RFC 9112 §4. A reason phrase may hold anything but control characters. */
const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?\r\n/;

/**
 * Most readers treat a tab after a length or a coding as white space; llhttp treats it as part of
 * the value.
 */
const framingValue = /^[\t ]*[^\t ][^\t]*$/;

/**
 * Parses one head, without the empty line after it.
 * @throws MalformedResponse
 */
export function parseHead(text: string): ParsedHead {
  const [line, minor, digits] = statusLine.exec(text) ?? [];
  if (line === undefined) throw new MalformedResponse('The status line is malformed.');
  const fields = parseHeaderFields(text.slice(line.length));
  const status = Number(digits);
  // The request asked for no upgrade.
  if (status === 101) throw new MalformedResponse('The receiver switched the protocol.');
  const announced = announcedLength(fields);
  const persistent = minor === '1' && !closes(fields);
  const [retryAfter] = fields.get('retry-after') ?? [];
  const parsed = {
    status,
    retryAfter: retryAfter === undefined ? undefined : trimmed(retryAfter),
    idleMs: idleMsOf(fields.get('keep-alive')),
  };
  if (status < 200) {
    if (announced) throw new MalformedResponse('An informational response announces a body.');
    if (!persistent)
      throw new MalformedResponse('An informational response closes the connection.');
    return { ...parsed, body: undefined, keepAlive: true };
  }
  // Does not wait for a body that the status forbids; nothing may be read after it.
  if (status === 204 || status === 304)
    return { ...parsed, body: 0, keepAlive: persistent && !announced };
  const body = announced ?? 'open';
  return { ...parsed, body, keepAlive: persistent && body !== 'open' };
}

function closes(fields: HeaderFields): boolean {
  // Proxy-Connection is not standard, but some proxies use it.
  return ['connection', 'proxy-connection'].some((name) =>
    parseList(fields.get(name)).includes('close'),
  );
}

/** The length that the framing fields announce; undefined without them. */
function announcedLength(fields: HeaderFields): BodyFraming | undefined {
  const lengths = fields.get('content-length') ?? [];
  const codings = fields.get('transfer-encoding') ?? [];
  if (lengths.length > 1 || (lengths.length > 0 && codings.length > 0)) {
    throw new MalformedResponse('The response announces two lengths.');
  }
  if (![...lengths, ...codings].every((value) => framingValue.test(value))) {
    throw new MalformedResponse('A framing field is empty or contains a tab.');
  }
  const [length] = lengths;
  if (length !== undefined) {
    if (!/^\d{1,15}$/.test(trimmed(length)))
      throw new MalformedResponse('Content-Length is not a number.');
    return Number(length);
  }
  if (codings.length === 0) return undefined;
  return parseList(codings).at(-1) === 'chunked' ? 'chunked' : 'open';
}

/** The `timeout` of Keep-Alive (RFC 2068 §19.7.1.1), in milliseconds. */
function idleMsOf(values: readonly string[] | undefined): number | undefined {
  const [, seconds] = /^timeout=(\d+)$/.exec(parseList(values)[0] ?? '') ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}
