import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { testAuthority } from './authority.js';

/** What a proxy does with a request for a tunnel. */
export type TunnelBehaviour =
  | 'tunnel'
  /** Reads the request and never answers. */
  | 'hang'
  /** Closes the connection before it answers. */
  | 'close'
  /** Answers with this text, and leaves the connection open. */
  | { readonly text: string }
  /** Writes this text before the tunnel. */
  | { readonly before: string };

/** A request for a tunnel. */
export interface TunnelRequest {
  /** Host and port, such as `127.0.0.1:443`. */
  readonly to: string;
  readonly head: string;
}

/** A scripted proxy on a port of this machine that knows only CONNECT. */
export interface ConnectProxy {
  /** The value of WEBHOOKS_PROXY_URL; `userInfo` such as `user:password@` is put before the host. */
  url(userInfo?: string): string;
  readonly tunnels: readonly TunnelRequest[];
  /** Requests other than for tunnels to receivers so far, by their first line. */
  readonly checks: readonly string[];
  readonly connections: { readonly accepted: number; readonly open: number };
  /** Sets what happens to tunnels from now on. Defaults to `tunnel`. */
  always(behaviour: TunnelBehaviour): void;
  /** Chooses a behaviour by target; undefined leaves it to {@link always}. */
  choose(choice: (to: string) => TunnelBehaviour | undefined): void;
  /** Which checks it reacts to: requests other than CONNECT, CONNECT to port 1, or none. Defaults to all. */
  reactsTo(checks: 'all' | 'connect' | 'none'): void;
  /** Leads each tunnel to this port of 127.0.0.1 instead of its target. */
  leadTo(port: number): void;
  /** Refuses connections and breaks the open ones. */
  stop(): Promise<void>;
  /** Listens again at the same port. */
  start(): Promise<void>;
}

/** Starts a proxy. @param options `secure`: it has TLS, under the name localhost */
export async function startConnectProxy(
  options: { readonly secure?: boolean } = {},
): Promise<ConnectProxy> {
  const tunnels: TunnelRequest[] = [];
  const checks: string[] = [];
  const sockets = new Set<Socket>();
  let accepted = 0;
  let behaviour: TunnelBehaviour = 'tunnel';
  let choice: (to: string) => TunnelBehaviour | undefined = () => undefined;
  let reactsTo: 'all' | 'connect' | 'none' = 'all';
  let destination: number | undefined;

  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  };

  const open = (client: Socket, to: string, answer: string) => {
    const [, host = '', port = ''] = /^\[?(.+?)\]?:(\d+)$/.exec(to) ?? [];
    const upstream =
      destination === undefined ? connect(Number(port), host) : connect(destination, '127.0.0.1');
    keep(upstream);
    upstream.once('connect', () => {
      client.write(answer);
      client.pipe(upstream).pipe(client);
    });
    upstream.once('error', () => client.end('HTTP/1.1 503 Service Unavailable\r\n\r\n'));
    upstream.once('close', () => client.destroy());
    client.once('close', () => upstream.destroy());
  };

  const perform = (client: Socket, to: string) => {
    const chosen = choice(to) ?? behaviour;
    if (chosen === 'close') client.end();
    else if (chosen === 'tunnel') open(client, to, 'HTTP/1.1 200 Connection established\r\n\r\n');
    else if (typeof chosen === 'object' && 'text' in chosen) client.write(chosen.text);
    else if (typeof chosen === 'object')
      open(client, to, `${chosen.before}HTTP/1.1 200 Connection established\r\n\r\n`);
  };

  const serve = (client: Socket) => {
    keep(client);
    let head = '';
    const read = (chunk: Buffer) => {
      head += chunk.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      client.off('data', read);

      const [line = ''] = head.split('\r\n');
      const [, to] = /^CONNECT (\S+) HTTP\/1\.1$/.exec(line) ?? [];
      if (to === undefined || to === '127.0.0.1:1') {
        checks.push(line);
        const reacts = reactsTo === 'all' || (reactsTo === 'connect' && to !== undefined);
        if (reacts) client.end('HTTP/1.1 501 Not Implemented\r\n\r\n');
      } else {
        tunnels.push({ to, head });
        perform(client, to);
      }
    };
    client.on('data', read);
  };

  const certificate = options.secure ? await (await testAuthority()).issue() : undefined;
  let server: Server | undefined;
  let port = 0;

  const start = async () => {
    server = certificate ? createTlsServer(certificate, serve) : createServer(serve);
    // Counts connections before their handshake, too.
    server.on('connection', (socket: Socket) => {
      accepted += 1;
      keep(socket);
    });
    server.on('tlsClientError', () => undefined);
    await once(server.listen(port, '127.0.0.1'), 'listening');
    port = (server.address() as AddressInfo).port;
  };

  await start();

  return {
    url: (userInfo = '') =>
      options.secure
        ? `https://${userInfo}localhost:${port}`
        : `http://${userInfo}127.0.0.1:${port}`,
    tunnels,
    checks,
    get connections() {
      return { accepted, open: sockets.size };
    },
    always: (other) => void (behaviour = other),
    choose: (other) => void (choice = other),
    reactsTo: (other) => void (reactsTo = other),
    leadTo: (other) => void (destination = other),
    start,
    async stop() {
      const stopped = server;
      server = undefined;
      if (!stopped) return;
      const closed = once(stopped, 'close');
      stopped.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
