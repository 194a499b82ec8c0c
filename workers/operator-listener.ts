import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkHealth, type Health } from '../src/process/health.js';
import { foreignHostDetail, isInternalHost } from '../src/process/internal-host.js';

interface ListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly health: Health;
  /** Further names under which the metrics answer. */
  readonly hosts: readonly string[];
  /** Returns the metrics in Prometheus' text format. */
  readonly metrics: () => Promise<string>;
}

/** An HTTP listener for operators: `/livez`, `/readyz` with the state of each dependency, `/metrics`. */
export class OperatorListener {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Starts listening. @throws Error when the port is in use */
  static async open(options: ListenerOptions): Promise<OperatorListener> {
    const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
      const [path = '/'] = (request.url ?? '/').split('?', 1);
      answer(path, request, options, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(options.port, options.host, resolve);
    });
    return new OperatorListener(server);
  }

  /** `http://host:port`, with the bound port. */
  get address(): string {
    const { address, family, port } = this.#server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  /** Stops the listener and closes its connections. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }
}

async function answer(
  path: string,
  { headers }: IncomingMessage,
  { health, hosts, metrics }: ListenerOptions,
  response: ServerResponse,
): Promise<void> {
  if (path === '/livez') {
    send(response, 200, { status: 'live' });
  } else if (path === '/readyz') {
    const { ready, dependencies } = await checkHealth(health);
    send(response, ready ? 200 : 503, { status: ready ? 'ready' : 'not ready', dependencies });
  } else if (path === '/metrics' && !isInternalHost(headers.host, hosts)) {
    send(response, 403, { status: 'forbidden', detail: foreignHostDetail });
  } else if (path === '/metrics') {
    const text = await metrics();
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
    response.end(text);
  } else {
    send(response, 404, { status: 'no such path' });
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(body)}\n`);
}
