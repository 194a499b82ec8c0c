import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

/** The addresses of a name, both families mixed; undefined: no answer at all. */
export type Zone = (name: string, type: 'A' | 'AAAA') => readonly string[] | undefined;

/** A DNS server on a free UDP port of 127.0.0.1 that answers from a function, always with TTL 0. */
export interface NameServer {
  /** A client that asks only this server, once, for at most a second. */
  readonly resolver: Resolver;
  /** Number of questions so far. */
  readonly questions: number;
  close(): Promise<void>;
}

/** Starts a server for `zone`; an empty list of addresses of the asked type is "no data". */
export async function startNameServer(zone: Zone): Promise<NameServer> {
  const socket = createSocket('udp4');
  let questions = 0;
  socket.on('message', (question, sender) => {
    questions += 1;
    const { name, end, type } = readQuestion(question);
    const addresses = type && zone(name, type);
    if (!addresses) return;
    const family = type === 'A' ? 4 : 6;
    const records = addresses.filter((address) => isIP(address) === family).map(record);
    socket.send(response(question.subarray(0, end), records), sender.port, sender.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const resolver = new Resolver({ timeout: 1_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    resolver,
    get questions() {
      return questions;
    },
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

const types = new Map<number, 'A' | 'AAAA'>([
  [1, 'A'],
  [28, 'AAAA'],
]);

function readQuestion(message: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = types.get(message.readUInt16BE(at + 1));
  return { name: labels.join('.').toLowerCase(), end: at + 5, type };
}

/** An answer (RFC 1035 §4.1) that repeats the question and points its records at it. */
function response(question: Buffer, records: readonly Buffer[]): Buffer {
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8580, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, ...records]);
}

function record(address: string): Buffer {
  const data = isIP(address) === 4 ? v4Bytes(address) : v6Bytes(address);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(data.length === 4 ? 1 : 28, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function v4Bytes(address: string): Buffer {
  return Buffer.from(address.split('.').map(Number));
}

function v6Bytes(address: string): Buffer {
  const [left = '', right] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const head = left.split(':').filter((group) => group !== '');
  const tail = right?.split(':').filter((group) => group !== '') ?? [];
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  const bytes = Buffer.alloc(16);
  [...head, ...zeros, ...tail].forEach((group, n) =>
    bytes.writeUInt16BE(parseInt(group, 16), 2 * n),
  );
  return bytes;
}
