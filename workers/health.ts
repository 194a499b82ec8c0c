import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the health listener of a process tells. */
export interface HealthOptions {
  readonly host: string;
  readonly port: number;
  /** Whether the process takes work: not yet while it starts, not any more while it stops. */
  readonly serving: () => boolean;
  /** What it needs, by name; each resolves when the thing answers. */
  readonly needs: Readonly<Record<string, () => Promise<unknown>>>;
  /** What it can do without for a while; reported, never a reason not to be ready. */
  readonly likes: Readonly<Record<string, () => Promise<unknown>>>;
  readonly metrics: () => Promise<string>;
}

const answerWithinMs = 2_000;

/** A listener for operators: `/livez`, `/readyz` with each dependency named, `/metrics`. */
export class HealthServer {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** @throws Error when the port is taken */
  static async open(options: HealthOptions): Promise<HealthServer> {
    const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
      const path = (request.url ?? '/').split('?', 1)[0];
      answer(path ?? '/', options, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(options.port, options.host, resolve);
    });
    return new HealthServer(server);
  }

  /** `http://host:port`, with the port that was bound. */
  get address(): string {
    const { address, family, port } = this.#server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  /** Ends the listener and its connections. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }
}

async function answer(
  path: string,
  options: HealthOptions,
  response: ServerResponse,
): Promise<void> {
  if (path === '/livez') {
    send(response, 200, { status: 'alive' });
  } else if (path === '/readyz') {
    await answerReady(options, response);
  } else if (path === '/metrics') {
    const text = await options.metrics();
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
    response.end(text);
  } else {
    send(response, 404, { status: 'not found' });
  }
}

async function answerReady(options: HealthOptions, response: ServerResponse): Promise<void> {
  const [needs, likes] = await Promise.all([examine(options.needs), examine(options.likes)]);
  const ready = options.serving() && Object.values(needs).every((state) => state === 'up');
  send(response, ready ? 200 : 503, {
    status: ready ? 'ready' : options.serving() ? 'unavailable' : 'not serving',
    dependencies: { ...needs, ...likes },
  });
}

async function examine(
  dependencies: HealthOptions['needs'],
): Promise<Record<string, 'up' | 'down'>> {
  const states = Object.entries(dependencies).map(async ([name, probe]) => {
    return [name, await isUp(probe)] as const;
  });
  return Object.fromEntries(await Promise.all(states));
}

async function isUp(probe: () => Promise<unknown>): Promise<'up' | 'down'> {
  let limit: NodeJS.Timeout | undefined;
  const late = new Promise<'down'>((resolve) => {
    limit = setTimeout(() => resolve('down'), answerWithinMs);
  });
  const probed = probe().then(
    () => 'up' as const,
    () => 'down' as const,
  );
  const state = await Promise.race([probed, late]);
  clearTimeout(limit);
  return state;
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(body)}\n`);
}
