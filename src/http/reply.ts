import type { ServerResponse } from 'node:http';
import type { OwnResponse, Reply } from '../api/replies.js';

/** For a year, and for this host alone: other hosts of the domain are not ours. */
const onlyByTls = 'max-age=31536000';

/**
 * Headers of every response.
 * @param isSecure whether browsers reach this listener by TLS, and are to use nothing else
 */
export function commonHeaders(requestId: string, isSecure = false): Record<string, string> {
  const headers: Record<string, string> = {
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  };
  if (isSecure) headers['Strict-Transport-Security'] = onlyByTls;
  return headers;
}

/**
 * Sends a reply in one piece, without its content for HEAD (RFC 9110 §9.3.2).
 * @param before headers sent first; those of the reply replace the same names
 */
export function send(
  response: ServerResponse,
  { status, headers, cookies = [], text }: Reply,
  before: readonly (Reply['headers'] | undefined)[],
  headOnly: boolean,
): void {
  const list: string[] = [];
  for (const part of before) addHeaders(list, part);
  addHeaders(list, headers);
  for (const cookie of cookies) list.push('Set-Cookie', cookie);
  if (text === null) {
    response.writeHead(status, list).end();
    return;
  }
  list.push('Content-Length', String(Buffer.byteLength(text)));
  response.writeHead(status, list);
  response.end(headOnly ? undefined : text);
}

/** Sends the headers of a response, and lets its handler write the body. */
export function sendOwn(
  response: ServerResponse,
  { status, headers, begin }: OwnResponse,
  before: Reply['headers'],
): void {
  response.writeHead(status, { ...before, ...headers });
  response.flushHeaders();
  begin(response);
}

/** Appends names and values alternately, as Node accepts them. Merging objects takes twenty times as long. */
function addHeaders(list: string[], headers: Reply['headers'] = {}): void {
  for (const [name, value] of Object.entries(headers)) {
    const known = list.findIndex((entry, index) => index % 2 === 0 && isSame(entry, name));
    if (known === -1) list.push(name, value);
    else list[known + 1] = value;
  }
}

/** Whether two names mean one header; Apollo writes its names in lower case. */
function isSame(one: string, other: string): boolean {
  return one.length === other.length && one.toLowerCase() === other.toLowerCase();
}
