import { BrokenAnswer } from './broken-answer.js';
import { type Fields, listOf, readFields, trimmed } from './field-lines.js';

/** What an answer says before its body. */
export interface AnswerHead {
  /** 100 to 999. */
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/** The length of a body: known, told by chunks, or all until the connection ends (RFC 9112 section 6.3). */
export type BodyLength = number | 'chunked' | 'open';

/** A head with what it says to its connection. */
export interface ReadHead extends AnswerHead {
  /** Undefined when another head follows. */
  readonly body: BodyLength | undefined;
  /** Whether the connection may carry another request after the body. */
  readonly keeps: boolean;
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
export function readHead(text: string): ReadHead {
  const [line, minor, digits] = statusLine.exec(text) ?? [];
  if (line === undefined) throw new BrokenAnswer('this is no status line');
  const fields = readFields(text.slice(line.length));
  const status = Number(digits);
  // Nobody has asked for another protocol.
  if (status === 101) throw new BrokenAnswer('the protocol was switched');
  const announced = announcedLength(fields);
  const goesOn = minor === '1' && !closes(fields);
  const [retryAfter] = fields.get('retry-after') ?? [];
  const read = {
    status,
    retryAfter: retryAfter === undefined ? undefined : trimmed(retryAfter),
    idleMs: idleMsOf(fields.get('keep-alive')),
  };
  if (status < 200) {
    if (announced) throw new BrokenAnswer('an informational answer announces a body');
    if (!goesOn) throw new BrokenAnswer('an informational answer is the last one');
    return { ...read, body: undefined, keeps: true };
  }
  // A body that its status does not allow is not waited for, and nothing may be read behind it.
  if (status === 204 || status === 304) return { ...read, body: 0, keeps: goesOn && !announced };
  const body = announced ?? 'open';
  return { ...read, body, keeps: goesOn && body !== 'open' };
}

function closes(fields: Fields): boolean {
  // The second one is no standard, but some proxies mean it.
  return ['connection', 'proxy-connection'].some((name) =>
    listOf(fields.get(name)).includes('close'),
  );
}

/** What the framing fields announce; undefined when there are none. */
function announcedLength(fields: Fields): BodyLength | undefined {
  const lengths = fields.get('content-length') ?? [];
  const codings = fields.get('transfer-encoding') ?? [];
  if (lengths.length > 1 || (lengths.length > 0 && codings.length > 0)) {
    throw new BrokenAnswer('two lengths');
  }
  if (![...lengths, ...codings].every((value) => framingValue.test(value))) {
    throw new BrokenAnswer('nothing or a tab in a length');
  }
  const [length] = lengths;
  if (length !== undefined) {
    if (!/^\d{1,15}$/.test(trimmed(length))) throw new BrokenAnswer('this is no length');
    return Number(length);
  }
  if (codings.length === 0) return undefined;
  return listOf(codings).at(-1) === 'chunked' ? 'chunked' : 'open';
}

/** RFC 2068 section 19.7.1.1, in milliseconds. */
function idleMsOf(values: readonly string[] | undefined): number | undefined {
  const [, seconds] = /^timeout=(\d{1,9})$/.exec(listOf(values)[0] ?? '') ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}
