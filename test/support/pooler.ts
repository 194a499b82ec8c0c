import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A pooler before PostgreSQL that drops start-up options, as PgBouncer can (ignore_startup_parameters). */
export interface Pooler {
  readonly url: string;
  close(): Promise<void>;
}

/** Opens a {@link Pooler} before the database of `address`. */
export async function openPooler(address: string): Promise<Pooler> {
  const target = new URL(address);
  const sockets = new Set<Socket>();
  const server = createServer((outer) => {
    const inner = connect(Number(target.port), target.hostname);
    for (const socket of [outer, inner]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => [outer, inner].forEach((each) => each.destroy()));
    }
    inner.pipe(outer);
    outer.once('data', (packet: Buffer) => {
      inner.write(withoutOptions(packet));
      outer.pipe(inner);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(address);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** A start-up packet has a length, the protocol, and names and values that end with NUL. */
function withoutOptions(packet: Buffer): Buffer {
  const words = packet.subarray(8, -2).toString().split('\0');
  const at = words.findIndex((word, index) => index % 2 === 0 && word === 'options');
  if (at !== -1) words.splice(at, 2);
  const rest = Buffer.from(`${words.join('\0')}\0\0`);
  const head = Buffer.from(packet.subarray(0, 8));
  head.writeInt32BE(head.length + rest.length);
  return Buffer.concat([head, rest]);
}
