import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy before PostgreSQL that can end connections at the moment they become ready. */
export interface ConnectionKiller {
  /** The URL of the database through this proxy. */
  readonly url: string;
  /**
   * From now on ends each connection as soon as it is ready. The client gets "ready" and the end in
   * one packet, as a process does that is busy meanwhile.
   * @param end terminates this backend at the server
   */
  killWhenReady(end: (pid: number) => Promise<unknown>): void;
  close(): void;
}

/** ReadyForQuery outside of a transaction (PostgreSQL documentation, "Message Formats"). */
const ready = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
/** The start of BackendKeyData; the process id follows. */
const keyData = Buffer.from([0x4b, 0, 0, 0, 12]);

/** Opens a proxy to the server of `url`. */
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

/** Forwards the data of the server until it is ready; then sends the rest and the end in one piece. */
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
