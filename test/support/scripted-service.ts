import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as the service saw it. */
interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
}

/** How one request is answered. */
export type Behaviour = (response: ServerResponse) => unknown;

/** Answers with JSON. */
export const json =
  (status: number, value: object, headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (response) =>
    response
      .writeHead(status, { 'Content-Type': 'application/json', ...headers })
      .end(JSON.stringify(value));

/** Answers with a problem of the service. */
export const problem = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
) =>
  json(
    status,
    {
      type: `https://api.example/problems/${code}`,
      title: 'Refused',
      status,
      code,
      errors: [{ code, detail: 'Not now.' }],
      request_id: 'req_000000000000000000000001',
    },
    headers,
  );

/** Breaks the connection. */
export const reset: Behaviour = (response) => response.socket?.resetAndDestroy();
/** Breaks the connection in the body. */
export const truncated: Behaviour = (response) => {
  response.writeHead(200, { 'Content-Length': '1000' }).write('{"data":');
  response.destroy();
};
/** Never answers. */
export const silent: Behaviour = () => undefined;

/** A service of `/v1` that behaves as it is told. */
export interface ScriptedService {
  readonly url: string;
  /** The requests since the last call of `behave`. */
  readonly seen: readonly Seen[];
  /** Sets a behaviour for each of the next requests, and the last one for all after them. */
  behave(...next: readonly Behaviour[]): void;
  close(): Promise<void>;
}

/** Starts a scripted service on a free port of this machine. */
export async function startScripted(): Promise<ScriptedService> {
  const seen: Seen[] = [];
  let behaviours: readonly Behaviour[] = [];
  const server = createServer((request, response) => {
    const answer = async () => {
      const { method = '', url: path = '', headers } = request;
      seen.push({ method, path, headers, body: await text(request), at: performance.now() });
      behaviours[Math.min(seen.length, behaviours.length) - 1]?.(response);
    };
    void answer();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    behave(...next: readonly Behaviour[]) {
      seen.length = 0;
      behaviours = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
