import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A door to PostgreSQL through which connections can end in the very moment they are made. */
export interface ConnectionKiller {
  /** `url` of the server, through this door. */
  readonly url: string;
  /**
   * From now on a connection ends as soon as it is ready, and both arrive in one packet, as they do
   * for a process that is busy meanwhile.
   * @param end ends the connection of this backend at the server
   */
  killWhenReady(end: (pid: number) => Promise<unknown>): void;
  close(): void;
}

/** ReadyForQuery outside of a transaction (PostgreSQL documentation, "Message Formats"). */
const ready = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
/** BackendKeyData begins with this; the process id comes next. */
const keyData = Buffer.from([0x4b, 0, 0, 0, 12]);

/** Opens the door to the server of `url`. */
export async function openConnectionKiller(url: string): Promise<ConnectionKiller> {
  const { port, hostname } = new URL(url);
  const sockets = new Set<Socket>();
  let end: ((pid: number) => Promise<unknown>) | undefined;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    client.pipe(upstream);
    if (end) holdUntilReady(upstream, client, end);
    else upstream.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const killer = new URL(url);
  killer.port = String((server.address() as AddressInfo).port);
  return {
    url: killer.href,
    killWhenReady(how) {
      end = how;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Passes on what the server says until it is ready; the rest, and its end, in one piece. */
function holdUntilReady(
  upstream: Socket,
  client: Socket,
  end: (pid: number) => Promise<unknown>,
): void {
  let received = Buffer.alloc(0);
  let held: Buffer | undefined;
  upstream.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    if (held) held = Buffer.concat([held, chunk]);
    else if (received.includes(ready)) {
      held = chunk;
      void end(received.readInt32BE(received.indexOf(keyData) + keyData.length));
    } else client.write(chunk);
  });
  upstream.on('end', () => client.end(held ?? ''));
}
