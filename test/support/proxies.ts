import { type Server, type Socket, type AddressInfo, connect } from 'node:net';
import { listenOn, portOf, SocketPairs } from './sockets.js';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTlsServer } from 'node:tls';
import { testAuthority } from './authority.js';

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

/** What a client sent to its server before the server spoke again. */
interface RoundTrip {
  /** The number of its connection, from 1. */
  readonly connection: number;
  /** What the client asked, in order. */
  readonly calls: readonly string[];
}

/** Reads all that one client sends. @returns the calls that a chunk completes */
type CallReader = (chunk: Buffer) => string[];

/** A proxy that counts the round trips between the clients of a server and the server. */
export interface RoundTripProxy {
  readonly port: number;
  /** All round trips so far, without those in which a client only connected. */
  readonly roundTrips: readonly RoundTrip[];
  close(): Promise<void>;
}

/** Opens a proxy to `port` of this machine. Each connection has its own reader. */
export async function createRoundTripProxy(
  port: number,
  newReader: () => CallReader,
): Promise<RoundTripProxy> {
  const roundTrips: RoundTrip[] = [];
  const pairs = new SocketPairs();
  let connections = 0;
  const server = await listenOn(0, (client) => {
    const upstream = pairs.connect(client, port);
    const connection = (connections += 1);
    const read = newReader();
    let current: string[] | undefined;
    client.on('data', (chunk) => {
      const calls = read(chunk);
      if (current) current.push(...calls);
      else if (calls.length > 0) roundTrips.push({ connection, calls: (current = calls) });
    });
    upstream.on('data', () => (current = undefined));
    client.pipe(upstream).pipe(client);
  });
  return { port: portOf(server), roundTrips, close: () => pairs.close(server) };
}

/**
 * Reads PostgreSQL's protocol. A call is the name of the connection, as in pg_stat_activity, and that
 * of a prepared statement, or the text and values of another.
 */
export function postgresReader(): CallReader {
  let rest = Buffer.alloc(0);
  let application: string | undefined;
  let unnamed = '';
  let bound = '';
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);

    const calls: string[] = [];
    for (;;) {
      // The first message has no type.
      const head = application === undefined ? 0 : 1;
      const end = rest.length < head + 4 ? Infinity : head + rest.readInt32BE(head);
      if (rest.length < end) return calls;

      const type = head === 0 ? '' : rest.toString('latin1', 0, 1);
      const fields = rest.toString('utf8', head + 4, end).split('\0');
      const [first = '', second = ''] = fields;

      rest = rest.subarray(end);
      application ??= fields[fields.indexOf('application_name') + 1] ?? '';
      if (type === 'P' && first === '') unnamed = second;
      if (type === 'B') bound = second === '' ? [unnamed, ...fields.slice(2)].join(' ') : second;
      if (type === 'Q') calls.push(`${application}: ${first}`);
      if (type === 'E') calls.push(`${application}: ${bound}`);
    }
  };
}

/** Reads the protocol of Redis. A call is a command with its arguments. */
export function redisReader(): CallReader {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const calls: string[] = [];
    for (let command = commandOf(rest); command; command = commandOf(rest)) {
      calls.push(command.words.join(' '));
      rest = rest.subarray(command.end);
    }
    return calls;
  };
}

/** Returns the command at the beginning of `bytes`; undefined if it is incomplete. */
function commandOf(bytes: Buffer): { words: string[]; end: number } | undefined {
  let end = 0;
  const number = () => {
    const line = bytes.indexOf('\r\n', end);
    // After the sign of an array or a string.
    const value = line < 0 ? Number.NaN : Number(bytes.toString('latin1', end + 1, line));
    end = line + 2;
    return value;
  };

  const words: string[] = [];
  for (let left = number(); left > 0; left -= 1) {
    const length = number();
    words.push(bytes.toString('utf8', end, end + length));
    end += length + 2;
    if (!(end <= bytes.length)) return undefined;
  }

  return words.length > 0 ? { words, end } : undefined;
}

/** A moment in the traffic between a process and its server. */
export interface Failpoint {
  /** `request`: before the server gets it. `response`: after the server acted, before the process knows. */
  readonly when: 'request' | 'response';
  /** Returns true at the moment; `before` has the earlier requests of the process on this connection. */
  readonly matches: (text: string, before: string) => boolean;
}

/** A proxy before a server that kills the process behind it once, at an exact moment. */
export interface FailpointProxy {
  readonly port: number;
  /** Waits for the moment, then drops the data and calls `kill`. */
  arm(failpoint: Failpoint, kill: () => void): void;
  close(): Promise<void>;
}

const maxRemembered = 100_000;

/** Opens a proxy before `port` of this machine. */
export async function createFailpointProxy(port: number): Promise<FailpointProxy> {
  const pairs = new SocketPairs();
  let armed: { readonly failpoint: Failpoint; readonly kill: () => void } | undefined;
  const triggers = (when: Failpoint['when'], chunk: Buffer, before: string) => {
    if (
      armed?.failpoint.when !== when ||
      !armed.failpoint.matches(chunk.toString('latin1'), before)
    ) {
      return false;
    }
    const { kill } = armed;
    armed = undefined;
    kill();
    return true;
  };

  const server = await listenOn(0, (client) => {
    const upstream = pairs.connect(client, port);
    let sent = '';
    client.on('data', (chunk) => {
      if (triggers('request', chunk, sent)) client.destroy();
      else upstream.write(chunk);
      sent = (sent + chunk.toString('latin1')).slice(-maxRemembered);
    });
    upstream.on('data', (chunk) => {
      if (triggers('response', chunk, sent)) client.destroy();
      else client.write(chunk);
    });
  });

  return {
    port: portOf(server),
    arm: (failpoint, kill) => void (armed = { failpoint, kill }),
    close: () => pairs.close(server),
  };
}

/** A request for a tunnel. */
interface Tunnel {
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
