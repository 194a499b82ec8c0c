import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy before a server, so that a test can make the server unreachable and back. */
export interface TcpProxy {
  readonly port: number;
  /** Breaks every connection; accepts new ones. */
  cut(): void;
  /** Breaks every connection and refuses new ones. */
  refuse(): Promise<void>;
  /** Keeps every connection and accepts new ones, but forwards nothing, like a host that vanished. */
  stall(): void;
  /** Forwards nothing more on the open connections, but forwards new ones. */
  silence(): void;
  /** Breaks every connection; delays each packet of new ones by `delayMs`. */
  slow(delayMs: number): void;
  /** Forwards connections again, on the same port, at once. */
  open(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a proxy to `port` of this machine. */
export async function createTcpProxy(port: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let proxyPort = 0;
  let stalled = false;
  let delayMs = 0;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const silence = () => {
    for (const socket of sockets) socket.unpipe().pause();
  };
  const stall = () => {
    stalled = true;
    silence();
  };
  const refuse = async () => {
    const open = server;
    server = undefined;
    const closed = new Promise((resolve) => (open ? open.close(resolve) : resolve(undefined)));
    cut();
    await closed;
  };
  const open = async () => {
    // Stalled connections cannot continue in order; their clients must connect again.
    if (stalled || delayMs > 0) cut();
    stalled = false;
    delayMs = 0;
    server ??= await listenOn(proxyPort, (outer) => {
      const inner = connect(port, '127.0.0.1');
      for (const [socket, other] of [
        [outer, inner],
        [inner, outer],
      ] as const) {
        sockets.add(socket);
        socket.on('error', () => other.destroy());
        socket.on('close', () => {
          sockets.delete(socket);
          other.destroy();
        });
      }
      if (delayMs > 0) forward(outer, inner, delayMs);
      else if (!stalled) outer.pipe(inner).pipe(outer);
    });
    const address = server.address();
    if (typeof address === 'object' && address) proxyPort = address.port;
  };
  await open();
  return {
    get port() {
      return proxyPort;
    },
    cut,
    refuse,
    stall,
    silence,
    slow(ms) {
      delayMs = ms;
      cut();
    },
    open,
    close: refuse,
  };
}

/** Forwards everything, both ways, after `delayMs`. */
function forward(one: Socket, other: Socket, delayMs: number): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('data', (chunk: Buffer) => setTimeout(() => to.write(chunk), delayMs));
    from.on('end', () => setTimeout(() => to.end(), delayMs));
  }
}

function listenOn(port: number, onConnection: (socket: Socket) => void): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(onConnection);
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
