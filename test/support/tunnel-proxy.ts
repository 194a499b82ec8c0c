import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { testAuthority } from './authority.js';

/** A request for a tunnel. */
export interface Tunnel {
  /** Host and port, such as `webhooks.example.com:443`. */
  readonly to: string;
  readonly authorization: string | undefined;
}

/** A proxy in front of a service that has TLS under names that no name server knows. */
export interface TunnelProxy {
  /** The value of HTTPS_PROXY. */
  readonly url: string;
  /** The same proxy with TLS, under the name localhost. */
  readonly secureUrl: string;
  /** The port at which the service has TLS. */
  readonly securePort: number;
  /** Every request so far. */
  readonly tunnels: readonly Tunnel[];
  /** Sets what requests are answered with; 0 leaves them without an answer. Defaults to 200. */
  answerWith(status: number): void;
  close(): void;
}

/** Starts a proxy whose tunnels all lead to the service at `url`, which has plain HTTP. */
export async function startTunnelProxy(
  url: string,
  names: readonly string[],
): Promise<TunnelProxy> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    return socket;
  };
  const join = (one: Socket, other: Socket) => {
    keep(one).pipe(keep(other)).pipe(one);
    one.once('close', () => other.destroy());
    other.once('close', () => one.destroy());
  };

  const service = Number(new URL(url).port);
  const secure = createTlsServer(await (await testAuthority()).issue({ names }), (socket) =>
    join(socket, connect(service, '127.0.0.1')),
  );
  secure.on('tlsClientError', () => undefined);
  const securePort = await listen(secure);

  const tunnels: Tunnel[] = [];
  let status = 200;
  const open = ({ url: to = '', headers }: IncomingMessage, socket: Socket) => {
    tunnels.push({ to, authorization: headers['proxy-authorization'] });
    keep(socket);
    if (status === 0) return;
    socket.write(`HTTP/1.1 ${status} Answer\r\n\r\n`);
    if (status === 200) join(socket, connect(securePort, '127.0.0.1'));
    else socket.end();
  };
  const proxy = createServer().on('connect', open);
  const secureProxy = createHttpsServer(await (await testAuthority()).issue());
  secureProxy.on('connect', open);
  return {
    url: `http://127.0.0.1:${await listen(proxy)}`,
    secureUrl: `https://localhost:${await listen(secureProxy)}`,
    securePort,
    tunnels,
    answerWith: (other) => void (status = other),
    close() {
      for (const server of [secure, proxy, secureProxy]) server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function listen(
  server: ReturnType<typeof createServer> | ReturnType<typeof createTlsServer>,
) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
