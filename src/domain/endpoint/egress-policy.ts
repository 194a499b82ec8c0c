// Decides which IP addresses a delivery may reach. The SSRF guard asks for each address that it connects to, and the
// validation of URLs for those that a URL spells out.
//
// Unknown space is closed for IPv6, and open for IPv4 except for a block list. Settings open private ranges,
// but never link-local and cloud metadata addresses. An IPv6 address that a network translates to IPv4 is
// judged by the IPv4 address that it embeds.
import { BlockList, isIP, isIPv6 } from 'node:net';
import type { PrivateTargets } from '../values/private-targets.js';

/** Subnets of both families. An IPv4 subnet never matches an IPv6 form of its addresses. */
class AddressRanges {
  readonly #v4 = new BlockList();
  readonly #v6 = new BlockList();

  constructor(cidrs: readonly string[]) {
    for (const cidr of cidrs) {
      const [network = '', prefix = ''] = cidr.split('/');
      if (isIP(network) === 4) this.#v4.addSubnet(network, Number(prefix), 'ipv4');
      else this.#v6.addSubnet(network, Number(prefix), 'ipv6');
    }
  }

  has(address: string, family: 4 | 6): boolean {
    return family === 4 ? this.#v4.check(address, 'ipv4') : this.#v6.check(address, 'ipv6');
  }
}

/** The IANA special-purpose registry, multicast and reserved space, and Azure's WireServer. */
const blockedV4 = new AddressRanges([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

/** The only IPv6 space that is allocated for global unicast. */
const allowedV6 = new AddressRanges(['2000::/3']);

/** Special-purpose blocks inside 2000::/3: protocol assignments, documentation, 6to4, AS112. */
const blockedV6 = new AddressRanges([
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
]);

/**
 * Addresses that no setting opens: link-local and cloud metadata addresses. Also IPv6 forms that
 * embed an IPv4 address, where one of those could hide.
 */
const neverAllowed = new AddressRanges([
  '169.254.0.0/16',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  'fe80::/10',
  'fd00:ec2::/48',
  'fd20:ce::/48',
  '::ffff:0:0/96',
  '::ffff:0:0:0/96',
  '2001::/32',
  '2002::/16',
]);

/** Reserved for a network's own translation (RFC 8215): closed, unless the prefix is known. */
const localTranslation = new AddressRanges(['64:ff9b:1::/48']);
/** The deprecated IPv4-compatible block. It contains `::1`, which has its own rule. */
const v4Compatible = new AddressRanges(['::/96']);
const loopbackV6 = new AddressRanges(['::1/128']);

const privateRanges = new AddressRanges([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7',
]);

function rangesOf(policy: PrivateTargets): AddressRanges {
  switch (policy.kind) {
    case 'none':
      return new AddressRanges([]);
    case 'private':
      return privateRanges;
    case 'cidrs':
      return new AddressRanges(policy.cidrs);
  }
}

function isNeverAllowed(address: string, family: 4 | 6): boolean {
  if (neverAllowed.has(address, family) || localTranslation.has(address, family)) return true;
  return v4Compatible.has(address, family) && !loopbackV6.has(address, family);
}

/**
 * Whether a delivery may connect to an address. Text that is not a plain IP address is refused.
 * @param nat64 the prefixes of the network's own translation; 64:ff9b::/96 is always known
 */
export type EgressPolicy = (address: string, nat64?: readonly Nat64Prefix[]) => boolean;

/**
 * Creates the policy for every address that a delivery could reach.
 * - IPv4: open, except for a block list.
 * - IPv6: closed, except for global unicast. An address that a network translates to IPv4 (NAT64) is
 *   judged by the IPv4 address that it embeds.
 * `policy` opens more. `private` opens loopback, RFC 1918 and fc00::/7; `cidrs` opens exactly its
 * ranges. Neither opens link-local or metadata addresses.
 */
export function createEgressPolicy(policy: PrivateTargets): EgressPolicy {
  const ranges = rangesOf(policy);
  const isOpen = (address: string, family: 4 | 6) => {
    if (ranges.has(address, family) && !isNeverAllowed(address, family)) return true;
    if (family === 4) return !blockedV4.has(address, family);
    return allowedV6.has(address, family) && !blockedV6.has(address, family);
  };

  return (address, nat64 = []) => {
    const family = isIP(address);
    if (family !== 4 && family !== 6) return false;
    if (address.includes('%')) return false;
    if (family === 4) return isOpen(address, family);

    const embedded = embeddedIpv4(address, [wellKnownPrefix, ...nat64]);
    if (embedded.length === 0 || neverAllowed.has(address, family)) return isOpen(address, family);
    return embedded.every((ipv4) => isOpen(ipv4, 4));
  };
}

/**
 * A prefix under which a network translates IPv6 to IPv4 (NAT64, RFC 6052). An address under it
 * reaches the IPv4 address that it embeds.
 */
export interface Nat64Prefix {
  /** The first `length` bits of an IPv6 address. */
  readonly bytes: readonly number[];
  /** In bits. */
  readonly length: 32 | 40 | 48 | 56 | 64 | 96;
}

/** Where the four bytes of the IPv4 address are, by length of the prefix; byte 8 is not used. */
const embeddedAt: Readonly<Record<Nat64Prefix['length'], readonly number[]>> = {
  32: [4, 5, 6, 7],
  40: [5, 6, 7, 9],
  48: [6, 7, 9, 10],
  56: [7, 9, 10, 11],
  64: [9, 10, 11, 12],
  96: [12, 13, 14, 15],
};
const lengths = [32, 40, 48, 56, 64, 96] as const;

/** The prefix that all networks may use, 64:ff9b::/96. */
const wellKnownPrefix: Nat64Prefix = {
  bytes: [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0],
  length: 96,
};

/** A name that has only IPv4 addresses. A network that translates also gives it IPv6 addresses. */
export const ipv4OnlyName = 'ipv4only.arpa';
const ipv4OnlyAddresses = ['192.0.0.170', '192.0.0.171'];

/** Returns the prefixes in the IPv6 addresses that a name server gave {@link ipv4OnlyName} (RFC 7050). */
export function findNat64Prefixes(addresses: readonly string[]): Nat64Prefix[] {
  const prefixes = new Map<string, Nat64Prefix>();
  for (const bytes of addresses.filter(isIPv6).map(bytesOf)) {
    for (const length of lengths) {
      if (!ipv4OnlyAddresses.includes(ipv4At(bytes, length))) continue;
      const prefix = bytes.slice(0, length / 8);
      prefixes.set(prefix.join(), { bytes: prefix, length });
    }
  }
  return [...prefixes.values()];
}

/** Returns the IPv4 addresses that an IPv6 address embeds under these prefixes; often none. */
function embeddedIpv4(address: string, prefixes: readonly Nat64Prefix[]): string[] {
  const bytes = bytesOf(address);
  return prefixes
    .filter((prefix) => prefix.bytes.every((byte, n) => bytes[n] === byte))
    .map(({ length }) => ipv4At(bytes, length));
}

function ipv4At(bytes: readonly number[], length: Nat64Prefix['length']): string {
  return embeddedAt[length].map((at) => bytes[at]).join('.');
}

/** The 16 bytes of an IPv6 address without zone, in any spelling. */
function bytesOf(address: string): number[] {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [start = '', end] = canonical.split('::');
  const left = groupsOf(start);
  const right = end === undefined ? [] : groupsOf(end);
  const zeros = end === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<number>(zeros).fill(0), ...right];
  return groups.flatMap((group) => [group >> 8, group & 0xff]);
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}
