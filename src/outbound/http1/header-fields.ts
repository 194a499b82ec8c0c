import { MalformedResponse } from './malformed-response.js';

/** RFC 9112 §5, without folded lines, which senders must not generate. */
const fieldLines = /^(?:[!#$%&'*+\-.^_`|~\w]+:[\t\x20-\x7e\x80-\xff]*\r\n)*$/;
const connectionFields =
  /^(content-length|transfer-encoding|(?:proxy-)?connection|keep-alive|retry-after):([^\r]*)\r$/gim;

/** Values of some fields by lower-case name, in the order of their lines, not trimmed. */
export type HeaderFields = ReadonlyMap<string, readonly string[]>;

/**
 * Parses the field lines of a head or of trailers, each with its CRLF. Returns only fields that
 * frame the response, concern its connection or name a delay.
 * @throws MalformedResponse
 */
export function parseHeaderFields(text: string): HeaderFields {
  if (!fieldLines.test(text)) throw new MalformedResponse('A header line is malformed.');
  const found = new Map<string, string[]>();
  for (const [, name = '', value = ''] of text.matchAll(connectionFields)) {
    const key = name.toLowerCase();
    const values = found.get(key);
    if (values) values.push(value);
    else found.set(key, [value]);
  }
  return found;
}

/** The elements of the lists in these values, in lower case (RFC 9110 §5.6.1). */
export function parseList(values?: readonly string[]): string[] {
  if (!values) return [];
  return values.flatMap((value) => value.split(',')).map((each) => trimmed(each).toLowerCase());
}

const isSpace = (code: number) => code === 0x20 || code === 0x09;

/**
 * Removes optional white space, which is only SP and HTAB (RFC 9110 §5.6.3); `trim` also removes
 * NBSP and others. A loop, because a regular expression takes quadratic time for many spaces.
 */
export function trimmed(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isSpace(text.charCodeAt(from))) from += 1;
  while (from < to && isSpace(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}
