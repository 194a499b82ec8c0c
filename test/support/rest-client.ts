import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { request } from 'undici';
import { ResponseContract } from './contract.js';

/** One call of an operation. */
export interface Ask {
  readonly token?: string;
  /** The Idempotency-Key. Defaults to a new one for mutations; null sends none. */
  readonly key?: string | null;
  readonly body?: unknown;
  /** Sent unchanged instead of `body`. */
  readonly bytes?: string | Buffer;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

/** A response that conforms to openapi.yaml. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON; undefined without JSON. */
  readonly body: unknown;
  readonly text: string;
}

const description = fileURLToPath(new URL('../../../schema/openapi.yaml', import.meta.url));
const contract = new ResponseContract(readFileSync(description, 'utf8'));
let keys = 0;

/** Calls `/v1` and checks every response against openapi.yaml, which refuses unknown members. */
export class RestClient {
  constructor(
    readonly url: string,
    readonly token?: string,
  ) {}

  /** Returns a client of the same service with another credential. */
  as(token: string): RestClient {
    return new RestClient(this.url, token);
  }

  get(path: string, ask: Ask = {}): Promise<Reply> {
    return this.send('GET', path, ask);
  }

  post(path: string, body?: unknown, ask: Ask = {}): Promise<Reply> {
    return this.send('POST', path, { ...ask, body });
  }

  patch(path: string, body: unknown, ask: Ask = {}): Promise<Reply> {
    return this.send('PATCH', path, { ...ask, body });
  }

  put(path: string, body: unknown, ask: Ask = {}): Promise<Reply> {
    return this.send('PUT', path, { ...ask, body });
  }

  delete(path: string, ask: Ask = {}): Promise<Reply> {
    return this.send('DELETE', path, ask);
  }

  async send(method: string, path: string, ask: Ask = {}): Promise<Reply> {
    const { token = this.token, key, body, bytes, headers = {} } = ask;
    const mutates = !['GET', 'HEAD', 'OPTIONS'].includes(method);
    const idempotencyKey =
      key === undefined && mutates ? `test-${process.pid}-${(keys += 1)}` : key;
    const response = await request(`${this.url}${path}`, {
      method: method as 'GET',
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(idempotencyKey != null && { 'idempotency-key': idempotencyKey }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: bytes ?? (body === undefined ? null : JSON.stringify(body)),
    });

    const text = await response.body.text();
    return accept(method, path, response.statusCode, flat(response.headers), text);
  }
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}

function accept(
  method: string,
  path: string,
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string,
): Reply {
  const json = /^application\/(problem\+)?json/.test(headers['content-type'] ?? '');
  const body = json && text !== '' ? (JSON.parse(text) as unknown) : undefined;
  const reply = { status, headers, text, body };
  contract.check({ method, path: path.split('?')[0] ?? '', ...reply });
  return reply;
}

/**
 * Sends bytes unchanged over a new connection and reads until it ends.
 * @param parts written one after the other, each in its own packet
 */
export async function sendRaw(url: string, ...parts: (string | Buffer)[]): Promise<Reply> {
  return readReply(parts.join(''), await exchange(url, parts));
}

function exchange(url: string, parts: readonly (string | Buffer)[]): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => {
      socket.setNoDelay(true);
      for (const part of parts) socket.write(part);
    });
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
  });
}

/** Parses the first response of a connection and checks it against openapi.yaml. */
function readReply(sent: string, text: string): Reply {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1]);
  expect(status, `a status line in ${JSON.stringify(text.slice(0, 80))}`).to.be.a('number').not.NaN;

  const headers = Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(':');
      return [name.toLowerCase(), value.join(':').trim()] as const;
    }),
  );

  const length = Number(headers['content-length'] ?? 0);
  const content = Buffer.from(rest.join('\r\n\r\n')).subarray(0, length).toString();
  const [method = '', path = ''] = sent.split(' ');
  return accept(method, path, status, headers, content);
}
