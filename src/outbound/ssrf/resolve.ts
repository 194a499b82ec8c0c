import { lookup, Resolver } from 'node:dns/promises';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/**
 * Resolves all addresses of a name.
 * @throws NameNotResolved when there are none
 */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/** The name has no address, or its name servers did not answer in time. */
export class NameNotResolved extends Error {
  readonly code = 'ERR_NAME_UNRESOLVED';
}

/** The methods of a DNS client in use; `dns.promises.Resolver` has them. */
export interface NameServer {
  resolve4(hostname: string): Promise<string[]>;
  resolve6(hostname: string): Promise<string[]>;
}

/**
 * Resolves A and AAAA records with these name servers only. A slow server blocks no thread. With
 * `getaddrinfo`, two slow look-ups would block all others of the process.
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

/** Uses the operating system: `/etc/hosts`, search domains and others. */
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
 * The resolver of a worker. It asks the machine's name servers, and the operating system for
 * `localhost`. With `useSystemResolver` it also asks the operating system for names that those
 * servers do not know. Private receivers in `/etc/hosts` or in a search domain need that.
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
