import type { Server, Socket } from 'node:net';
import { listenOn, portOf, SocketPairs } from './socket-pairs.js';

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
  const pairs = new SocketPairs();
  let server: Server | undefined;
  let proxyPort = 0;
  let stalled = false;
  let delayMs = 0;
  const cut = () => pairs.cut();
  const silence = () => {
    for (const socket of pairs.open) socket.unpipe().pause();
  };
  const stall = () => {
    stalled = true;
    silence();
  };
  const refuse = async () => {
    const open = server;
    server = undefined;
    if (open) await pairs.close(open);
    else cut();
  };
  const open = async () => {
    // Stalled connections cannot continue in order; their clients must connect again.
    if (stalled || delayMs > 0) cut();
    stalled = false;
    delayMs = 0;
    server ??= await listenOn(proxyPort, (outer) => {
      const inner = pairs.connect(outer, port);
      if (delayMs > 0) forward(outer, inner, delayMs);
      else if (!stalled) outer.pipe(inner).pipe(outer);
    });
    proxyPort = portOf(server);
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
