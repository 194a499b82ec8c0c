import type { ServerResponse } from 'node:http';

/** A whole response; text null for one without content, bytes for one that is no text. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | Buffer | null;
}

/** Headers of every response (H94). */
export function commonHeaders(requestId: string): Record<string, string> {
  return {
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  };
}

/**
 * Sends a reply in one piece; its content is left out where there must be none (RFC 9110 §9.3.2).
 * @param before headers that those of the reply come after and, under the same name, replace
 */
export function send(
  response: ServerResponse,
  { status, headers, text }: Reply,
  before: readonly (Reply['headers'] | undefined)[],
  headOnly: boolean,
): void {
  const list: string[] = [];
  for (const part of before) addHeaders(list, part);
  addHeaders(list, headers);
  if (text === null) {
    response.writeHead(status, list).end();
    return;
  }
  list.push('Content-Length', String(Buffer.byteLength(text)));
  response.writeHead(status, list);
  response.end(headOnly ? undefined : text);
}

/** Names and values in turns, as Node takes them; merging objects would cost twenty times as much. */
function addHeaders(list: string[], headers: Reply['headers'] = {}): void {
  for (const [name, value] of Object.entries(headers)) {
    const known = list.findIndex((entry, index) => index % 2 === 0 && entry === name);
    if (known === -1) list.push(name, value);
    else list[known + 1] = value;
  }
}
