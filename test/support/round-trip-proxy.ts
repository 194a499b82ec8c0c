import { listenOn, portOf, SocketPairs } from './socket-pairs.js';

/** What a client sent to its server before the server spoke again. */
export interface RoundTrip {
  /** The number of its connection, from 1. */
  readonly connection: number;
  /** What the client asked, in order. */
  readonly calls: readonly string[];
}

/** Reads all that one client sends. @returns the calls that a chunk completes */
export type CallReader = (chunk: Buffer) => string[];

/** A proxy that counts round trips between the clients of a server and the server. */
export interface RoundTripProxy {
  readonly port: number;
  /** All so far, without those in which a client only connected. */
  readonly roundTrips: readonly RoundTrip[];
  close(): Promise<void>;
}

/** Opens a proxy to `port` of this machine. Each connection has a reader of its own. */
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

/** The command at the beginning of `bytes`; undefined if it is incomplete. */
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
