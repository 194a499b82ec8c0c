import { isIPv6 } from 'node:net';

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

/** Where each length of prefix has the four bytes of the IPv4 address; byte 8 stays free. */
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
export const wellKnownPrefix: Nat64Prefix = {
  bytes: [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0],
  length: 96,
};

/** The name that has only IPv4 addresses. A network that translates gives it IPv6 addresses, too. */
export const ipv4OnlyName = 'ipv4only.arpa';
const ipv4OnlyAddresses = ['192.0.0.170', '192.0.0.171'];

/** Returns the prefixes in the IPv6 addresses that a name server gave {@link ipv4OnlyName} (RFC 7050). */
export function findNat64Prefixes(addresses: readonly string[]): Nat64Prefix[] {
  const found = new Map<string, Nat64Prefix>();
  for (const bytes of addresses.filter(isIPv6).map(bytesOf)) {
    for (const length of lengths) {
      if (!ipv4OnlyAddresses.includes(ipv4At(bytes, length))) continue;
      const prefix = bytes.slice(0, length / 8);
      found.set(prefix.join(), { bytes: prefix, length });
    }
  }
  return [...found.values()];
}

/** Returns the IPv4 addresses that an IPv6 address embeds under these prefixes; often none. */
export function embeddedIpv4(address: string, prefixes: readonly Nat64Prefix[]): string[] {
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
  const [left = [], right] = canonical.split('::').map(groupsOf);
  const zeros = right ? 8 - left.length - right.length : 0;
  const groups = [...left, ...Array<number>(zeros).fill(0), ...(right ?? [])];
  return groups.flatMap((group) => [group >> 8, group & 0xff]);
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}
