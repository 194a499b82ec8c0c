import { MalformedResponse } from './malformed-response.js';

/** RFC 9112 section 5, without the folded lines that it forbids to send. */
const fieldLines = /^(?:[!#$%&'*+\-.^_`|~\w]+:[\t\x20-\x7e\x80-\xff]*\r\n)*$/;
const connectionFields =
  /^(content-length|transfer-encoding|(?:proxy-)?connection|keep-alive|retry-after):([^\r]*)\r$/gim;

/** The values of some fields by their lower-case name, in the order of their lines, not trimmed. */
export type HeaderFields = ReadonlyMap<string, readonly string[]>;

/**
 * Reads the field lines of a head or of trailers, each with its CRLF; finds only those fields that
 * frame the answer, concern its connection or name a delay.
 * @throws BrokenAnswer
 */
export function parseHeaderFields(text: string): HeaderFields {
  if (!fieldLines.test(text)) throw new MalformedResponse('this is no header');
  const found = new Map<string, string[]>();
  for (const [, name = '', value = ''] of text.matchAll(connectionFields)) {
    const key = name.toLowerCase();
    const values = found.get(key);
    if (values) values.push(value);
    else found.set(key, [value]);
  }
  return found;
}

/** The elements of the lists in these values, in lower case (RFC 9110 section 5.6.1). */
export function parseList(values: readonly string[] = []): string[] {
  return values.flatMap((value) => value.split(',')).map((each) => trimmed(each).toLowerCase());
}

const isSpace = (code: number) => code === 0x20 || code === 0x09;

/**
 * Without the optional white space around it, which is SP and HTAB only (RFC 9110 section 5.6.3);
 * `trim` takes NBSP and others, too. A loop, because a pattern takes quadratic time for many spaces.
 */
export function trimmed(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && isSpace(text.charCodeAt(from))) from += 1;
  while (from < to && isSpace(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}
