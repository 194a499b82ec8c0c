import { lookup, Resolver } from 'node:dns/promises';
import {
  findNat64Prefixes,
  ipv4OnlyName,
  type Nat64Prefix,
} from '../domain/endpoint/egress-policy.js';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** The addresses of a host name. */
export interface Resolution {
  /** At least one. */
  readonly addresses: readonly ResolvedAddress[];
  /** The addresses of the family whose answer is still missing, if any; never rejects. */
  readonly late?: Promise<readonly ResolvedAddress[]> | undefined;
}

/** What name servers know about the network. */
export interface NameResolver {
  /**
   * Resolves the addresses of a name.
   * @throws NameNotResolved if there are none
   */
  resolve(hostname: string): Promise<Resolution>;
  /** The prefixes with which the network translates IPv6 to IPv4, except 64:ff9b::/96. */
  nat64Prefixes(): Promise<readonly Nat64Prefix[]>;
}

/** The name has no address, or its name servers did not answer in time. */
export class NameNotResolved extends Error {
  readonly code = 'ERR_NAME_UNRESOLVED';
}

/** The part of `dns.promises.Resolver` that is used. */
export interface NameServer {
  resolve4(hostname: string): Promise<string[]>;
  resolve6(hostname: string): Promise<string[]>;
}

/** How long the answer for one family waits for the other (RFC 8305 section 3). */
const otherFamilyMs = 50;
/** How long a DNS client is used; the next one reads `/etc/resolv.conf` again. */
const clientMs = 5_000;

/**
 * Resolves A and AAAA records at these name servers only. A slow server blocks no thread, while two slow
 * look-ups of `getaddrinfo` would block all others of the process.
 * @param currentServer returns the client to use now
 */
export function dnsNames(currentServer: () => NameServer): NameResolver {
  let askedServer: NameServer | undefined;
  let known: Promise<readonly Nat64Prefix[]> | undefined;

  return {
    resolve: (hostname) => resolveWith(currentServer(), hostname),
    nat64Prefixes: () => {
      const server = currentServer();
      if (known && server === askedServer) return known;

      askedServer = server;
      const prefixes = askForPrefixes(server, known);
      // Only the first caller waits. Later ones use the known prefixes until the answer arrives.
      if (known) void prefixes.then(() => (known = prefixes));
      else known = prefixes;
      return known;
    },
  };
}

/** Does not wait for a server that answers only for one family: the other addresses are `late`. */
async function resolveWith(server: NameServer, hostname: string): Promise<Resolution> {
  const v4 = addressesOf(server.resolve4(hostname), 4);
  const v6 = addressesOf(server.resolve6(hostname), 6);
  const v4IsFirst = await Promise.race([v4.then(() => true), v6.then(() => false)]);
  const [first, second] = v4IsFirst ? [v4, v6] : [v6, v4];

  const addresses = await first;
  const more = addresses.length === 0 ? await second : await within(otherFamilyMs, second);
  if (!more) return { addresses, late: second };

  const all = v4IsFirst ? [...addresses, ...more] : [...more, ...addresses];
  if (all.length === 0) throw new NameNotResolved(`${hostname} has no address`);
  return { addresses: all };
}

async function addressesOf(answer: Promise<string[]>, family: 4 | 6): Promise<ResolvedAddress[]> {
  try {
    return (await answer).map((address) => ({ address, family }));
  } catch {
    return [];
  }
}

/** @returns undefined if `value` takes longer than `ms` */
function within<Value>(ms: number, value: Promise<Value>): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), ms);
    value.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** @returns `earlier` if the server does not answer */
async function askForPrefixes(
  server: NameServer,
  earlier: Promise<readonly Nat64Prefix[]> | undefined,
): Promise<readonly Nat64Prefix[]> {
  try {
    return findNat64Prefixes(await server.resolve6(ipv4OnlyName));
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const hasNone = code === 'ENODATA' || code === 'ENOTFOUND';
    return hasNone ? [] : ((await earlier) ?? []);
  }
}

/** Asks the operating system, which uses `/etc/hosts`, search domains and others. */
async function systemLookup(hostname: string): Promise<Resolution> {
  const answer = await lookup(hostname, { all: true }).catch(() => []);
  if (answer.length === 0) throw new NameNotResolved(`${hostname} has no address`);
  return {
    addresses: answer.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 })),
  };
}

/** Whether a name means the machine that resolves it. */
export function isLocalName(hostname: string): boolean {
  return /(^|\.)localhost\.?$/.test(hostname);
}

/**
 * Resolves names at the name servers of the machine, and `localhost` at the operating system. With
 * `useSystemResolver`, names that those servers do not know are resolved by the operating system, too:
 * private receivers in `/etc/hosts` or in a search domain need that.
 */
export function machineNames(
  useSystemResolver: boolean,
  createClient: () => NameServer = () => new Resolver({ timeout: 2_000, tries: 2 }),
  now: () => number = () => performance.now(),
): NameResolver {
  let client: NameServer | undefined;
  let createdAt = 0;
  const names = dnsNames(() => {
    if (!client || now() - createdAt >= clientMs) {
      client = createClient();
      createdAt = now();
    }
    return client;
  });

  return {
    ...names,
    resolve: async (hostname) => {
      if (isLocalName(hostname)) return systemLookup(hostname);
      try {
        return await names.resolve(hostname);
      } catch (error) {
        if (!useSystemResolver) throw error;
        return systemLookup(hostname);
      }
    },
  };
}
