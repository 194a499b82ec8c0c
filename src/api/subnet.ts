import { isIPv6 } from 'node:net';

/**
 * The key that an address is counted under. One customer usually holds a whole /64 of IPv6. IPv4
 * stays itself, also when mapped into IPv6.
 */
export function subnetOf(address: string): string {
  // A proxy may forward text that is no address; its length is limited anyway.
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
