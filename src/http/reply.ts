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

/** Sends a reply in one piece; its content is left out where there must be none (RFC 9110 §9.3.2). */
export function send(response: ServerResponse, reply: Reply, headOnly: boolean): void {
  const { status, headers, text } = reply;
  if (text === null) {
    response.writeHead(status, headers).end();
    return;
  }
  const length = Buffer.byteLength(text);
  response.writeHead(status, { ...headers, 'Content-Length': length });
  response.end(headOnly ? undefined : text);
}
