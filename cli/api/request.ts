import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { exitCodes, Failure } from '../failure.js';
import { printable } from '../output/printable.js';

/** Idle connections keep no process running. */
const agents = {
  http: new HttpAgent({ keepAlive: true }),
  https: new HttpsAgent({ keepAlive: true }),
};

/** One HTTP request. */
export interface RequestOptions {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
  /** Without a byte for this long the request fails. */
  readonly idleMs: number;
  readonly signal?: AbortSignal | undefined;
  /** False accepts every certificate. Defaults to true. */
  readonly verifyCertificate?: boolean;
}

/**
 * Sends one request by `node:http`, which loads in a fifth of the time of `fetch`. Follows no
 * redirect.
 * @returns the response when its headers have arrived
 * @throws Failure 4 when no response arrives
 */
export function send(url: URL, options: RequestOptions): Promise<IncomingMessage> {
  const { method, headers, body, idleMs, signal, verifyCertificate = true } = options;
  const secure = url.protocol === 'https:';
  const bytes = body === undefined ? undefined : Buffer.from(body);
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(unreachable(url, error));
    const outgoing = (secure ? requestHttps : requestHttp)(
      url,
      {
        method,
        headers: { ...headers, ...(bytes && { 'Content-Length': String(bytes.length) }) },
        agent: secure && !verifyCertificate ? undefined : secure ? agents.https : agents.http,
        ...(secure && !verifyCertificate && { rejectUnauthorized: false }),
        timeout: idleMs,
        ...(signal && { signal }),
      },
      resolve,
    );
    outgoing.once('timeout', () =>
      outgoing.destroy(new Error(`no answer for ${idleMs / 1_000} s`)),
    );
    outgoing.once('error', fail);
    outgoing.end(bytes);
  });
}

/** Reads a body as UTF-8. @throws Failure 4 when it breaks off or is larger than `limit` bytes */
export async function readBody(
  response: IncomingMessage,
  url: URL,
  limit: number,
): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) throw new Error(`the body is larger than ${limit} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw unreachable(url, error as Error);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function unreachable(url: URL, error: Error): Failure {
  const { code } = error as NodeJS.ErrnoException;
  // An error of several addresses has its text in its parts.
  const parts = error instanceof AggregateError ? (error.errors as Error[]) : [error];
  const reason = parts.map(({ message }) => message || code).join('; ');
  const message = printable(`Cannot reach ${url.origin}: ${reason}.`);
  return new Failure(message, exitCodes.unreachable, { cause: error });
}
