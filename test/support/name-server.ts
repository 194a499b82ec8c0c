import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, isIP, type Server, type Socket } from 'node:net';
import {
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  type Packet,
  streamDecode,
  streamEncode,
  type StringAnswer,
  TRUNCATED_RESPONSE,
} from 'dns-packet';
import type { NameResolver, Resolution } from '../../src/outbound/resolve.js';

/**
 * Returns the addresses of a name, of both families; undefined means no response, a promise a slow one. A
 * truncated answer has no address over UDP, and all of them over TCP.
 */
export type Zone = (name: string, type: 'A' | 'AAAA') => ZoneAnswer | Promise<ZoneAnswer>;
type ZoneAnswer = readonly string[] | { readonly truncated: readonly string[] } | undefined;

/** A DNS server on a free port of 127.0.0.1, UDP and TCP. Its answers have a TTL of 0. */
export interface NameServer {
  /** A client that asks only this server: one try, at most 5 s. */
  readonly resolver: Resolver;
  /** The host and port of the server. */
  readonly address: string;
  close(): Promise<void>;
}

/** Starts a server for `zone`; no address of the requested type means "no data". */
export async function startNameServer(zone: Zone): Promise<NameServer> {
  const { udp, tcp, port } = await bindBoth();
  const open = new Set<Socket>();

  udp.on('message', (message, sender) => {
    void respond(zone, decode(message), 'udp').then((response) => {
      if (response) udp.send(encode(response), sender.port, sender.address);
    });
  });

  tcp.on('connection', (socket: Socket) => {
    open.add(socket.on('error', () => undefined).on('close', () => open.delete(socket)));
    socket.on('data', (message) => {
      void respond(zone, streamDecode(message), 'tcp').then((response) => {
        if (response) socket.write(streamEncode(response));
      });
    });
  });

  const resolver = new Resolver({ timeout: 5_000, tries: 1 });
  const address = `127.0.0.1:${port}`;
  resolver.setServers([address]);

  return {
    resolver,
    address,
    close: async () => {
      for (const socket of open) socket.destroy();
      const closed = [once(udp, 'close'), once(tcp, 'close')];
      udp.close();
      tcp.close();
      await Promise.all(closed);
    },
  };
}

/** Returns a resolver that gives every name these addresses, in a network that translates nothing. */
export function fixedNames(...addresses: readonly string[]): NameResolver {
  return {
    resolve: () => Promise.resolve(fixedResolution(...addresses)),
    nat64Prefixes: () => Promise.resolve([]),
  };
}

/** Returns a resolution with these addresses, all of which are there at once. */
export function fixedResolution(...addresses: readonly string[]): Resolution {
  return {
    addresses: addresses.map((address) => ({ address, family: isIP(address) === 6 ? 6 : 4 })),
  };
}

async function respond(
  zone: Zone,
  { id = 0, questions = [] }: Packet,
  transport: 'udp' | 'tcp',
): Promise<Packet | undefined> {
  const [question] = questions;
  if (question?.type !== 'A' && question?.type !== 'AAAA') return undefined;

  const { name, type } = question;
  const answer = await zone(name.toLowerCase(), type);
  if (!answer) return undefined;

  const isTruncated = 'truncated' in answer && transport === 'udp';
  const addresses = 'truncated' in answer ? answer.truncated : answer;
  return {
    type: 'response',
    id,
    flags: isTruncated ? AUTHORITATIVE_ANSWER | TRUNCATED_RESPONSE : AUTHORITATIVE_ANSWER,
    questions,
    answers: isTruncated ? [] : addresses.filter(isOf(type)).map(recordOf(name, type)),
  };
}

function recordOf(name: string, type: 'A' | 'AAAA'): (data: string) => StringAnswer {
  return (data) => ({ name, type, ttl: 0, data });
}

function isOf(type: 'A' | 'AAAA'): (address: string) => boolean {
  const family = type === 'A' ? 4 : 6;
  return (address) => isIP(address) === family;
}

/** Binds one port for both protocols; another process may have either of them. */
async function bindBoth(): Promise<{ udp: UdpSocket; tcp: Server; port: number }> {
  for (;;) {
    const udp = createSocket('udp4');
    udp.bind(0, '127.0.0.1');
    await once(udp, 'listening');

    const { port } = udp.address();
    const tcp = createServer();
    try {
      await once(tcp.listen(port, '127.0.0.1'), 'listening');
      return { udp, tcp, port };
    } catch {
      udp.close();
    }
  }
}
