import { lookup, Resolver } from 'node:dns/promises';

/** One address of a DNS answer. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Asks for every address of a name. @throws NameUnresolved when there is none */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/** The name has no address, or its servers did not answer in time. */
export class NameNotResolved extends Error {
  readonly code = 'ERR_NAME_UNRESOLVED';
}

/** The part of a DNS client that is asked; `dns.promises.Resolver` is one. */
export interface NameServer {
  resolve4(hostname: string): Promise<string[]>;
  resolve6(hostname: string): Promise<string[]>;
}

/**
 * A and AAAA records of a name, from these name servers only: no thread of the process is held by
 * a slow server, as `getaddrinfo` would (two look-ups at a time for the whole process).
 */
export function dnsResolver(server: NameServer): Resolve {
  return async (hostname) => {
    const [v4, v6] = await Promise.allSettled([
      server.resolve4(hostname),
      server.resolve6(hostname),
    ]);
    const addresses = [...addressesOf(v4, 4), ...addressesOf(v6, 6)];
    if (addresses.length === 0) throw new NameNotResolved(`${hostname} has no address`);
    return addresses;
  };
}

function addressesOf(answer: PromiseSettledResult<string[]>, family: 4 | 6): ResolvedAddress[] {
  if (answer.status === 'rejected') return [];
  return answer.value.map((address) => ({ address, family }));
}

/** `/etc/hosts`, search domains and whatever else the operating system knows. */
async function systemLookup(hostname: string): Promise<readonly ResolvedAddress[]> {
  try {
    const answer = await lookup(hostname, { all: true });
    return answer.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
  } catch {
    throw new NameNotResolved(`${hostname} has no address`);
  }
}

function isLocalName(hostname: string): boolean {
  return /(^|\.)localhost\.?$/.test(hostname);
}

/**
 * How a worker resolves receivers: the name servers of the machine; `localhost` by the operating
 * system, and with `useSystemResolver` every name those servers do not know, which is what private
 * receivers in `/etc/hosts` or in a search domain need.
 */
export function defaultResolver(useSystemResolver: boolean): Resolve {
  const queryServers = dnsResolver(new Resolver({ timeout: 2_000, tries: 2 }));
  return async (hostname) => {
    if (isLocalName(hostname)) return systemLookup(hostname);
    try {
      return await queryServers(hostname);
    } catch (error) {
      if (!useSystemResolver) throw error;
      return systemLookup(hostname);
    }
  };
}
