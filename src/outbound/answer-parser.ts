import { BrokenAnswer } from './broken-answer.js';
import { ChunkedBody } from './chunked-body.js';

/** Bounds of one answer in bytes: each of its heads, its body, and all of it with framing. */
export const answerBounds = {
  head: 16 * 1_024,
  body: 64 * 1_024,
  all: 2 * (16 + 64) * 1_024,
} as const;

/** What an answer says before its body. */
export interface AnswerHead {
  /** 100 to 999. */
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/**
 * How far an answer is: more of it is to come, it is whole and its connection may carry another
 * request, or it is whole and was the last one.
 */
export type Progress = 'more' | 'whole' | 'last';

/** The bytes of a body that are to come: of a known number, in chunks, or all until the end. */
type Body =
  | { readonly kind: 'sized'; missing: number }
  | { readonly kind: 'chunked'; readonly chunks: ChunkedBody }
  | { readonly kind: 'open' };

/** RFC 9112 section 4; a reason phrase may be anything that is no control character. */
const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?\r\n/;
/** RFC 9112 section 5, without the folded lines that it forbids to send. */
const fieldLines = /^(?:[!#$%&'*+\-.^_`|~\w]+:[\t\x20-\x7e\x80-\xff]*\r\n)*$/;
const wantedFields =
  /^(content-length|transfer-encoding|connection|keep-alive|retry-after):([^\r]*)\r$/gim;

/**
 * Reads one answer of HTTP/1.0 or HTTP/1.1 as it arrives, 1xx answers before it included, without
 * keeping more than one head of it (RFC 9112). Strict: what two readers could understand in two ways
 * is refused, and bytes that follow an answer end its connection.
 */
export class AnswerParser {
  readonly #onHead: (head: AnswerHead) => void;
  /** The beginning of a head that has not arrived whole. */
  #begun = '';
  #body: Body | undefined;
  #keeps = false;
  #idleMs: number | undefined;
  #read = 0;
  #readOfBody = 0;

  /** @param onHead hears of each head, final or 1xx, before its body is read */
  constructor(onHead: (head: AnswerHead) => void) {
    this.#onHead = onHead;
  }

  /** How long the receiver says that it keeps the connection after this answer; undefined if not. */
  get idleMs(): number | undefined {
    return this.#idleMs;
  }

  /**
   * Takes what has arrived.
   * @throws BrokenAnswer; a head that was heard of before stays true
   */
  feed(bytes: Buffer): Progress {
    this.#read += bytes.length;
    if (this.#read > answerBounds.all) throw new BrokenAnswer('the answer is too long');
    let at = 0;
    while (!this.#body) {
      const end = this.#headEnd(bytes, at);
      if (end === undefined) return 'more';
      at = end;
    }
    return this.#feedBody(this.#body, at === 0 ? bytes : bytes.subarray(at));
  }

  /** Whether the answer is whole when the other side sends nothing more. */
  get endsWithConnection(): boolean {
    return this.#body?.kind === 'open';
  }

  /** Where the head that begins or goes on at `at` ends; undefined when it has not ended. */
  #headEnd(bytes: Buffer, at: number): number | undefined {
    // Its last four bytes may have arrived in parts, so these are looked at together.
    const before = this.#begun.length;
    const text = this.#begun + bytes.toString('latin1', at, at + answerBounds.head);
    const end = text.indexOf('\r\n\r\n', Math.max(0, before - 3));
    if (end < 0 ? text.length >= answerBounds.head : end + 4 > answerBounds.head) {
      throw new BrokenAnswer('the head is too long');
    }
    if (end < 0) {
      if (!couldBegin(text)) throw new BrokenAnswer('this is not HTTP');
      this.#begun = text;
      return undefined;
    }
    this.#begun = '';
    this.#readHead(text.slice(0, end + 2));
    return at + end + 4 - before;
  }

  #readHead(text: string): void {
    const [line, minor, digits] = statusLine.exec(text) ?? [];
    if (line === undefined) throw new BrokenAnswer('this is no status line');
    const fields = text.slice(line.length);
    if (!fieldLines.test(fields)) throw new BrokenAnswer('this is no header');
    const found = fieldsOf(fields);
    const status = Number(digits);
    // Nobody has asked for another protocol.
    if (status === 101) throw new BrokenAnswer('the protocol was switched');
    const head: AnswerHead = { status, retryAfter: found.get('retry-after')?.[0] };
    if (status < 200) {
      this.#onHead(head);
      return;
    }
    const body = bodyOf(status, found);
    this.#keeps = minor === '1' && body.kind !== 'open' && keepsConnection(status, found);
    this.#idleMs = idleMsOf(found.get('keep-alive'));
    this.#body = body;
    this.#onHead(head);
  }

  #feedBody(body: Body, bytes: Buffer): Progress {
    switch (body.kind) {
      case 'sized': {
        const taken = Math.min(body.missing, bytes.length);
        body.missing -= taken;
        this.#bound(taken);
        return body.missing > 0 ? 'more' : this.#whole(taken < bytes.length);
      }
      case 'chunked': {
        const { ended, taken, content } = body.chunks.feed(bytes);
        this.#bound(content);
        return ended ? this.#whole(taken < bytes.length) : 'more';
      }
      case 'open':
        this.#bound(bytes.length);
        return 'more';
    }
  }

  #bound(bytes: number): void {
    this.#readOfBody += bytes;
    if (this.#readOfBody > answerBounds.body) throw new BrokenAnswer('the body is too long');
  }

  /** Bytes that nobody asked for would be taken for the next answer. */
  #whole(goesOn: boolean): Progress {
    return this.#keeps && !goesOn ? 'whole' : 'last';
  }
}

/** Whether a status line may begin like this; without an end, nonsense would be waited for. */
function couldBegin(text: string): boolean {
  return 'HTTP/1.'.startsWith(text.slice(0, 7));
}

type Fields = ReadonlyMap<string, readonly string[]>;

function fieldsOf(text: string): Fields {
  const found = new Map<string, string[]>();
  for (const [, name = '', value = ''] of text.matchAll(wantedFields)) {
    const key = name.toLowerCase();
    const values = found.get(key);
    if (values) values.push(value.trim());
    else found.set(key, [value.trim()]);
  }
  return found;
}

function listOf(values: readonly string[] = []): string[] {
  return values.flatMap((value) => value.split(',')).map((each) => each.trim().toLowerCase());
}

const hasNoBody = (status: number) => status === 204 || status === 304;

/** A body that its status does not allow is not waited for, and nothing may be read behind it. */
function keepsConnection(status: number, fields: Fields): boolean {
  if (listOf(fields.get('connection')).includes('close')) return false;
  const announced = fields.has('transfer-encoding') || Number(fields.get('content-length')) > 0;
  return !(hasNoBody(status) && announced);
}

/** RFC 9112 section 6.3. */
function bodyOf(status: number, fields: Fields): Body {
  const lengths = fields.get('content-length') ?? [];
  const codings = listOf(fields.get('transfer-encoding'));
  if (lengths.length + Math.min(codings.length, 1) > 1) throw new BrokenAnswer('two lengths');
  const [length = '0'] = lengths;
  if (!/^\d{1,15}$/.test(length)) throw new BrokenAnswer('this is no length');
  if (hasNoBody(status)) return { kind: 'sized', missing: 0 };
  if (codings.length > 0) {
    const chunked = codings.at(-1) === 'chunked';
    return chunked ? { kind: 'chunked', chunks: new ChunkedBody() } : { kind: 'open' };
  }
  return lengths.length > 0 ? { kind: 'sized', missing: Number(length) } : { kind: 'open' };
}

/** RFC 2068 section 19.7.1.1, in milliseconds. */
function idleMsOf(values: readonly string[] | undefined): number | undefined {
  const [, seconds] = /^timeout=(\d{1,9})$/.exec(listOf(values)[0] ?? '') ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}
