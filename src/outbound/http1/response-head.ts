import { MalformedResponse } from './malformed-response.js';
import { type HeaderFields, parseList, parseHeaderFields, trimmed } from './header-fields.js';

/** What an answer says before its body. */
export interface ResponseHead {
  /** 100 to 999. */
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/** The length of a body: known, told by chunks, or all until the connection ends (RFC 9112 section 6.3). */
export type BodyFraming = number | 'chunked' | 'open';

/** A head with what it says to its connection. */
export interface ParsedHead extends ResponseHead {
  /** Undefined when another head follows. */
  readonly body: BodyFraming | undefined;
  /** Whether the connection may carry another request after the body. */
  readonly keepAlive: boolean;
  /** How long the receiver says that it keeps the connection; undefined if not. */
  readonly idleMs: number | undefined;
}

/** RFC 9112 section 4; a reason phrase may be anything that is no control character. */
const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?\r\n/;

/** A tab behind a length or a coding is white space for most readers, and a part of it for llhttp. */
const framingValue = /^[\t ]*[^\t ][^\t]*$/;

/**
 * Reads one head, without the empty line behind it.
 * @throws BrokenAnswer
 */
export function parseHead(text: string): ParsedHead {
  const [line, minor, digits] = statusLine.exec(text) ?? [];
  if (line === undefined) throw new MalformedResponse('this is no status line');
  const fields = parseHeaderFields(text.slice(line.length));
  const status = Number(digits);
  // Nobody has asked for another protocol.
  if (status === 101) throw new MalformedResponse('the protocol was switched');
  const announced = announcedLength(fields);
  const persistent = minor === '1' && !closes(fields);
  const [retryAfter] = fields.get('retry-after') ?? [];
  const parsed = {
    status,
    retryAfter: retryAfter === undefined ? undefined : trimmed(retryAfter),
    idleMs: idleMsOf(fields.get('keep-alive')),
  };
  if (status < 200) {
    if (announced) throw new MalformedResponse('an informational answer announces a body');
    if (!persistent) throw new MalformedResponse('an informational answer is the last one');
    return { ...parsed, body: undefined, keepAlive: true };
  }
  // A body that its status does not allow is not waited for, and nothing may be read behind it.
  if (status === 204 || status === 304)
    return { ...parsed, body: 0, keepAlive: persistent && !announced };
  const body = announced ?? 'open';
  return { ...parsed, body, keepAlive: persistent && body !== 'open' };
}

function closes(fields: HeaderFields): boolean {
  // The second one is no standard, but some proxies mean it.
  return ['connection', 'proxy-connection'].some((name) =>
    parseList(fields.get(name)).includes('close'),
  );
}

/** What the framing fields announce; undefined when there are none. */
function announcedLength(fields: HeaderFields): BodyFraming | undefined {
  const lengths = fields.get('content-length') ?? [];
  const codings = fields.get('transfer-encoding') ?? [];
  if (lengths.length > 1 || (lengths.length > 0 && codings.length > 0)) {
    throw new MalformedResponse('two lengths');
  }
  if (![...lengths, ...codings].every((value) => framingValue.test(value))) {
    throw new MalformedResponse('nothing or a tab in a length');
  }
  const [length] = lengths;
  if (length !== undefined) {
    if (!/^\d{1,15}$/.test(trimmed(length))) throw new MalformedResponse('this is no length');
    return Number(length);
  }
  if (codings.length === 0) return undefined;
  return parseList(codings).at(-1) === 'chunked' ? 'chunked' : 'open';
}

/** RFC 2068 section 19.7.1.1, in milliseconds. */
function idleMsOf(values: readonly string[] | undefined): number | undefined {
  const [, seconds] = /^timeout=(\d{1,9})$/.exec(parseList(values)[0] ?? '') ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}
