import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { AUTHORITATIVE_ANSWER, decode, encode, type StringAnswer } from 'dns-packet';

/** The addresses of a name, of both families; undefined means no response. */
export type Zone = (name: string, type: 'A' | 'AAAA') => readonly string[] | undefined;

/** A DNS server on a free UDP port of 127.0.0.1. A function gives its answers; their TTL is 0. */
export interface NameServer {
  /** A client of only this server: one try, at most 1 s. */
  readonly resolver: Resolver;
  /** Host and port. */
  readonly address: string;
  close(): Promise<void>;
}

/** Starts a server for `zone`; no address of the requested type means "no data". */
export async function startNameServer(zone: Zone): Promise<NameServer> {
  const socket = createSocket('udp4');
  socket.on('message', (message, sender) => {
    const { id, questions = [] } = decode(message);
    const [question] = questions;
    if (question?.type !== 'A' && question?.type !== 'AAAA') return;
    const { name, type } = question;
    const addresses = zone(name.toLowerCase(), type);
    if (!addresses) return;
    const response = encode({
      type: 'response',
      id: id ?? 0,
      flags: AUTHORITATIVE_ANSWER,
      questions,
      answers: addresses.filter(isOf(type)).map((data): StringAnswer => ({
        name,
        type,
        ttl: 0,
        data,
      })),
    });
    socket.send(response, sender.port, sender.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const resolver = new Resolver({ timeout: 5_000, tries: 1 });
  const address = `127.0.0.1:${socket.address().port}`;
  resolver.setServers([address]);
  return {
    ...{ resolver, address },
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function isOf(type: 'A' | 'AAAA'): (address: string) => boolean {
  const family = type === 'A' ? 4 : 6;
  return (address) => isIP(address) === family;
}
