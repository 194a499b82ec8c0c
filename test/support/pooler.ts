import { listenOn, portOf, SocketPairs } from './socket-pairs.js';

/** A pooler before PostgreSQL that drops start-up options, as PgBouncer can (ignore_startup_parameters). */
export interface Pooler {
  readonly url: string;
  close(): Promise<void>;
}

/** Opens a {@link Pooler} before the database of `address`. */
export async function openPooler(address: string): Promise<Pooler> {
  const target = new URL(address);
  const pairs = new SocketPairs();
  const server = await listenOn(0, (outer) => {
    const inner = pairs.connect(outer, Number(target.port));
    inner.pipe(outer);
    outer.once('data', (packet: Buffer) => {
      inner.write(withoutOptions(packet));
      outer.pipe(inner);
    });
  });
  const url = new URL(address);
  url.port = String(portOf(server));
  return { url: url.href, close: () => pairs.close(server) };
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
