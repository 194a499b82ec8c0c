/** Limits of one response in bytes: each head, the body, and everything including the framing. */
export const responseLimits = {
  head: 16 * 1_024,
  body: 64 * 1_024,
  all: 2 * (16 + 64) * 1_024,
} as const;

/**
 * The state of a response: `more` bytes follow, it is `whole` and its connection can be reused, or it is
 * the `last` of its connection.
 */
export type Progress = 'more' | 'whole' | 'last';

/** The rest of a body: a known number of bytes, chunks, or everything until the connection ends. */
type PendingBody =
  | { readonly kind: 'sized'; remaining: number }
  | { readonly kind: 'chunked'; readonly chunks: ChunkedBody }
  | { readonly kind: 'open' };

/**
 * Parses one HTTP/1.0 or HTTP/1.1 response as it arrives, with the 1xx responses before it (RFC 9112).
 * Keeps at most one head in memory. It is strict, because receivers may be hostile: it refuses what other
 * parsers could read differently, and a connection with bytes after a response is not reused.
 */
export class ResponseParser {
  readonly #onHead: (head: ResponseHead, text: string) => void;
  /** Gets the content of the body, starting with the next bytes. */
  onContent: ContentSink | undefined;
  /** The start of an incomplete head. */
  #partialHead = '';
  #body: PendingBody | undefined;
  #keepAlive = false;
  #idleMs: number | undefined;
  #receivedBytes = 0;
  #bodyBytes = 0;

  /** @param onHead is called with each head, 1xx or final, and its text, before the body is read */
  constructor(onHead: (head: ResponseHead, text: string) => void) {
    this.#onHead = onHead;
  }

  /** The idle timeout that the receiver announced, in milliseconds. */
  get idleMs(): number | undefined {
    return this.#idleMs;
  }

  /**
   * Parses the bytes that have arrived.
   * @throws MalformedResponse; heads already passed to `onHead` stay valid
   */
  feed(bytes: Buffer): Progress {
    this.#receivedBytes += bytes.length;
    if (this.#receivedBytes > responseLimits.all)
      throw new MalformedResponse(`The response exceeds ${responseLimits.all} bytes.`);
    let at = 0;
    while (!this.#body) {
      const end = this.#headEnd(bytes, at);
      if (end === undefined) return 'more';
      at = end;
    }
    return this.#feedBody(this.#body, at === 0 ? bytes : bytes.subarray(at));
  }

  /** Whether the response is complete if the receiver sends nothing more. */
  get endsWithConnection(): boolean {
    return this.#body?.kind === 'open';
  }

  /** Returns the end of the head that starts or continues at `at`; undefined while it is incomplete. */
  #headEnd(bytes: Buffer, at: number): number | undefined {
    // The last four bytes of a head may arrive in parts, so the parts are joined.
    const before = this.#partialHead.length;
    const text = this.#partialHead + bytes.toString('latin1', at, at + responseLimits.head);
    const end = text.indexOf('\r\n\r\n', Math.max(0, before - 3));
    if (end < 0 ? text.length >= responseLimits.head : end + 4 > responseLimits.head) {
      throw new MalformedResponse(`A head exceeds ${responseLimits.head} bytes.`);
    }

    if (end < 0) {
      const lines = text.slice(Math.max(0, before - 1));
      if (!canStartStatusLine(text) || bareLineEnd.test(lines))
        throw new MalformedResponse('The response is not HTTP/1.');
      this.#partialHead = text;
      return undefined;
    }

    this.#partialHead = '';
    this.#takeHead(text.slice(0, end + 2));

    return at + end + 4 - before;
  }

  #takeHead(text: string): void {
    const head = parseHead(text);
    this.#keepAlive = head.keepAlive;
    this.#idleMs = head.idleMs;
    if (head.body === 'chunked') this.#body = { kind: 'chunked', chunks: new ChunkedBody() };
    else if (head.body === 'open') this.#body = { kind: 'open' };
    else if (head.body !== undefined) this.#body = { kind: 'sized', remaining: head.body };
    this.#onHead({ status: head.status, retryAfter: head.retryAfter }, text);
  }

  #feedBody(body: PendingBody, bytes: Buffer): Progress {
    switch (body.kind) {
      case 'sized': {
        const taken = Math.min(body.remaining, bytes.length);
        body.remaining -= taken;
        this.#countBodyBytes(taken);
        this.onContent?.(bytes.subarray(0, taken));
        return body.remaining > 0 ? 'more' : this.#complete(taken < bytes.length);
      }
      case 'chunked': {
        const { ended, taken, content } = body.chunks.feed(bytes, this.onContent);
        this.#countBodyBytes(content);
        return ended ? this.#complete(taken < bytes.length) : 'more';
      }
      case 'open':
        this.#countBodyBytes(bytes.length);
        this.onContent?.(bytes);
        return 'more';
    }
  }

  #countBodyBytes(bytes: number): void {
    this.#bodyBytes += bytes;
    if (this.#bodyBytes > responseLimits.body)
      throw new MalformedResponse(`The body exceeds ${responseLimits.body} bytes.`);
  }

  /** Unsolicited bytes would be mistaken for the response to the next request. */
  #complete(hasExtraBytes: boolean): Progress {
    return this.#keepAlive && !hasExtraBytes ? 'whole' : 'last';
  }
}

const bareLineEnd = /[^\r]\n|\r[^\n]/;

/** Whether this can be the start of a status line. Checked early, because other text may never end. */
function canStartStatusLine(text: string): boolean {
  return 'HTTP/1.'.startsWith(text.slice(0, 7));
}

/** The part of a response head that decides the outcome. */
export interface ResponseHead {
  /** 100 to 999. */
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/** The length of a body: a number of bytes, chunked, or until the connection ends (RFC 9112 §6.3). */
type BodyFraming = number | 'chunked' | 'open';

/** A head, and what it says about body and connection. */
interface ParsedHead extends ResponseHead {
  /** Undefined for a 1xx: another head follows. */
  readonly body: BodyFraming | undefined;
  /** Whether the connection may carry another request after the body. */
  readonly keepAlive: boolean;
  /** The idle timeout that the receiver announces, in milliseconds. */
  readonly idleMs: number | undefined;
}

/** RFC 9112 §4. A reason phrase may contain anything except control characters. */
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
function parseHead(text: string): ParsedHead {
  const [line, minor, digits] = statusLine.exec(text) ?? [];
  if (line === undefined) throw new MalformedResponse('The status line is malformed.');

  const fields = parseHeaderFields(text.slice(line.length));
  const status = Number(digits);

  // The request did not ask for an upgrade.
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

  // Such a status forbids a body. If one is announced anyway, the connection cannot be trusted after it.
  if (status === 204 || status === 304)
    return { ...parsed, body: 0, keepAlive: persistent && !announced };

  const body = announced ?? 'open';
  return { ...parsed, body, keepAlive: persistent && body !== 'open' };
}

function closes(fields: HeaderFields): boolean {
  // Proxy-Connection is no standard, but some proxies use it.
  return ['connection', 'proxy-connection'].some((name) =>
    parseList(fields.get(name)).includes('close'),
  );
}

/** Returns the length that the framing fields announce; undefined without them. */
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

/** Returns `timeout` of Keep-Alive (RFC 2068 §19.7.1.1) in milliseconds. */
function idleMsOf(values: readonly string[] | undefined): number | undefined {
  const [, seconds] = /^timeout=(\d+)$/.exec(parseList(values)[0] ?? '') ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}

/** RFC 9112 §5, without folded lines, which senders must not generate. */
const fieldLines = /^(?:[!#$%&'*+\-.^_`|~\w]+:[\t\x20-\x7e\x80-\xff]*\r\n)*$/;
const connectionFields =
  /^(content-length|transfer-encoding|(?:proxy-)?connection|keep-alive|retry-after):([^\r]*)\r$/gim;

/** The untrimmed values of some fields by lower-case name, in the order of their lines. */
type HeaderFields = ReadonlyMap<string, readonly string[]>;

/**
 * Parses the field lines of a head or of trailers, each with its CRLF. Returns only the fields that
 * concern framing, connection or Retry-After.
 * @throws MalformedResponse
 */
function parseHeaderFields(text: string): HeaderFields {
  if (!fieldLines.test(text)) throw new MalformedResponse('A header line is malformed.');
  const fields = new Map<string, string[]>();
  for (const [, name = '', value = ''] of text.matchAll(connectionFields)) {
    const key = name.toLowerCase();
    const values = fields.get(key);
    if (values) values.push(value);
    else fields.set(key, [value]);
  }
  return fields;
}

/** Returns the elements of the lists in these values, in lower case (RFC 9110 §5.6.1). */
function parseList(values?: readonly string[]): string[] {
  if (!values) return [];
  return values
    .flatMap((value) => value.split(','))
    .map((element) => trimmed(element).toLowerCase());
}

const isSpace = (code: number) => code === 0x20 || code === 0x09;

/**
 * Removes optional white space, which is only SP and HTAB (RFC 9110 §5.6.3), while `trim` also removes
 * NBSP and others. It is a loop because a regular expression takes quadratic time for many spaces.
 */
export function trimmed(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isSpace(text.charCodeAt(from))) from += 1;
  while (from < to && isSpace(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

/** What some bytes of a chunked body contain. */
interface ChunkedBytes {
  /** The body and its trailers are complete. */
  readonly ended: boolean;
  /** The number of bytes that belong to the body. */
  readonly taken: number;
  /** The number of them that are content. */
  readonly content: number;
}

const lf = 10;
const cr = 13;
/** In bytes: a chunk-size line with extensions, or all trailers together. */
const maxLineBytes = 4_096;
/** RFC 9112 §7.1.1, without white space around extensions, which senders must not generate. */
const sizeLine =
  /^([\da-f]{1,8})(?:;[!#$%&'*+\-.^_`|~\w]+(?:=(?:[!#$%&'*+\-.^_`|~\w]+|"(?:[\t !#-[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*"))?)*$/i;

/** Finds the end of a chunked body and counts its content (RFC 9112 §7.1). Keeps at most one line. */
class ChunkedBody {
  /** The part of a line that has arrived. */
  #line = '';
  /** The element that comes next. */
  #place: 'size' | 'content' | 'content end' | 'trailers' = 'size';
  #remaining = 0;
  #trailerBytes = 0;

  /**
   * @param onContent gets the content of these bytes
   * @throws MalformedResponse
   */
  feed(bytes: Buffer, onContent?: ContentSink): ChunkedBytes {
    let at = 0;
    let content = 0;

    while (at < bytes.length) {
      if (this.#place === 'content') {
        const taken = Math.min(this.#remaining, bytes.length - at);
        this.#remaining -= taken;
        content += taken;
        onContent?.(bytes.subarray(at, at + taken));
        at += taken;
        if (this.#remaining === 0) this.#place = 'content end';
      } else {
        const end = bytes.indexOf(lf, at);
        const to = end < 0 ? bytes.length : end + 1;
        this.#line += bytes.toString('latin1', at, to);
        if (this.#line.length > maxLineBytes)
          throw new MalformedResponse(`A chunk-size line exceeds ${maxLineBytes} bytes.`);
        at = to;
        if (end >= 0 && this.#take(this.#endedLine())) return { ended: true, taken: at, content };
      }
    }

    return { ended: false, taken: at, content };
  }

  #endedLine(): string {
    const line = this.#line;
    this.#line = '';
    if (line.charCodeAt(line.length - 2) !== cr)
      throw new MalformedResponse('A line of the chunked body ends without CR.');
    return line.slice(0, -2);
  }

  /** @returns whether this line was the last one */
  #take(line: string): boolean {
    if (this.#place === 'trailers') return line === '' || this.#takeTrailer(line);
    if (this.#place === 'content end') {
      if (line !== '') throw new MalformedResponse('A chunk is longer than its size.');
      this.#place = 'size';
      return false;
    }
    const [, size] = sizeLine.exec(line) ?? [];
    if (size === undefined) throw new MalformedResponse('A chunk size is malformed.');
    this.#remaining = parseInt(size, 16);
    this.#place = this.#remaining > 0 ? 'content' : 'trailers';
    return false;
  }

  /** Trailers must not contain framing fields (RFC 9110 §6.5.1). */
  #takeTrailer(line: string): false {
    this.#trailerBytes += line.length + 2;
    if (this.#trailerBytes > maxLineBytes)
      throw new MalformedResponse(`The trailers exceed ${maxLineBytes} bytes.`);
    if (parseHeaderFields(`${line}\r\n`).size > 0)
      throw new MalformedResponse('A framing field appears in the trailers.');
    return false;
  }
}

/** A response breaks the protocol or exceeds a limit, so its connection cannot be trusted any more. */
export class MalformedResponse extends Error {
  override readonly name = 'MalformedResponse';
}

/** Gets the content of a body as it arrives. It must copy what it keeps: the buffer is reused. */
export type ContentSink = (bytes: Buffer) => void;

/** The smallest buffer in bytes, which is enough for the body of many receivers. */
const smallestBuffer = 64;

/** Keeps the first bytes of a body in at most `limit` bytes of memory, and in less for a short body. */
export class ContentStart {
  readonly #limit: number;
  #kept: Buffer | undefined;
  #length = 0;
  #truncated = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether more bytes arrived than are kept. */
  get truncated(): boolean {
    return this.#truncated;
  }

  get bytes(): Buffer {
    return this.#kept?.subarray(0, this.#length) ?? Buffer.alloc(0);
  }

  add(bytes: Buffer): void {
    if (bytes.length === 0) return;
    const kept = this.#withRoomFor(bytes.length);
    const copied = bytes.copy(kept, this.#length);
    this.#length += copied;
    this.#truncated ||= copied < bytes.length;
  }

  #withRoomFor(bytes: number): Buffer {
    const kept = this.#kept;
    const needed = Math.min(this.#length + bytes, this.#limit);
    if (kept && needed <= kept.length) return kept;

    const size = Math.max(needed, smallestBuffer, 2 * this.#length);
    const larger = Buffer.allocUnsafe(Math.min(size, this.#limit));
    kept?.copy(larger, 0, 0, this.#length);
    this.#kept = larger;
    return larger;
  }
}
