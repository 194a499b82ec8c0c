import { isIPv6 } from 'node:net';

/** One customer usually holds a whole /64 of IPv6; an IPv4 address stays itself in every spelling. */
export function subnetOf(address: string): string {
  // What a proxy forwards need not be an address; its length is bounded all the same.
  if (!isIPv6(address)) return address.slice(0, 64);
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1);
  const [head = '', tail = ''] = address.split('::');
  const [before, after] = [head, tail].map((part) => (part === '' ? [] : part.split(':')));
  const groups = [...(before ?? [])];
  if (address.includes('::')) {
    const zeros = 8 - groups.length - (after?.length ?? 0);
    groups.push(...Array.from({ length: zeros }, () => '0'), ...(after ?? []));
  }
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
