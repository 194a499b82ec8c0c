import { lookup, Resolver } from 'node:dns/promises';
import {
  findNat64Prefixes,
  ipv4OnlyName,
  type Nat64Prefix,
} from '../../domain/endpoint/egress-policy.js';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** The addresses of a name. */
export interface Resolution {
  /** At least one. */
  readonly addresses: readonly ResolvedAddress[];
  /**
   * The addresses of the family that has not been answered yet; never rejects. Undefined if both
   * have been.
   */
  readonly late?: Promise<readonly ResolvedAddress[]> | undefined;
}

/** The knowledge that name servers have of the network. */
export interface Names {
  /**
   * Resolves the addresses of a name.
   * @throws NameNotResolved when there are none
   */
  resolve(hostname: string): Promise<Resolution>;
  /** The prefixes under which the network translates IPv6 to IPv4, but 64:ff9b::/96. */
  nat64Prefixes(): Promise<readonly Nat64Prefix[]>;
}

/** The name has no address, or its name servers did not answer in time. */
export class NameNotResolved extends Error {
  readonly code = 'ERR_NAME_UNRESOLVED';
}

/** The methods of a DNS client in use; `dns.promises.Resolver` has them. */
export interface NameServer {
  resolve4(hostname: string): Promise<string[]>;
  resolve6(hostname: string): Promise<string[]>;
}

/** How long the answer for one family waits for the other, in milliseconds (RFC 8305 section 3). */
const otherFamilyMs = 50;
/** For how long a DNS client is used. The next one reads `/etc/resolv.conf` again. */
const clientMs = 5_000;

/**
 * Resolves A and AAAA records with these name servers only. A slow server blocks no thread. With
 * `getaddrinfo`, two slow look-ups would block all others of the process.
 * @param currentServer returns the client to ask now
 */
export function dnsNames(currentServer: () => NameServer): Names {
  let askedServer: NameServer | undefined;
  let known: Promise<readonly Nat64Prefix[]> | undefined;

  return {
    resolve: (hostname) => resolveWith(currentServer(), hostname),
    nat64Prefixes: () => {
      const server = currentServer();
      if (known && server === askedServer) return known;

      askedServer = server;
      const found = askForPrefixes(server, known);
      // Only the first caller waits. Later ones use what is known until there is an answer.
      if (known) void found.then(() => (known = found));
      else known = found;
      return known;
    },
  };
}

/** A server that answers for one family only delays nothing: the addresses of the other are late. */
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

/** @returns undefined when `value` takes longer than `ms` */
function within<Value>(ms: number, value: Promise<Value>): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), ms);
    value.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** @returns `earlier` when the server does not answer */
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

/** Uses the operating system: `/etc/hosts`, search domains and others. */
async function systemLookup(hostname: string): Promise<Resolution> {
  const answer = await lookup(hostname, { all: true }).catch(() => []);
  if (answer.length === 0) throw new NameNotResolved(`${hostname} has no address`);
  return {
    addresses: answer.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 })),
  };
}

function isLocalName(hostname: string): boolean {
  return /(^|\.)localhost\.?$/.test(hostname);
}

/**
 * Creates the names of a worker. It asks the machine's name servers, and the operating system for
 * `localhost`. With `useSystemResolver` it also asks the operating system for names that those
 * servers do not know. Private receivers in `/etc/hosts` or in a search domain need that.
 */
export function machineNames(
  useSystemResolver: boolean,
  createClient: () => NameServer = () => new Resolver({ timeout: 2_000, tries: 2 }),
  now: () => number = () => performance.now(),
): Names {
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
