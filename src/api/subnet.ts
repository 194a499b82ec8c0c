import { isIPv6 } from 'node:net';

/**
 * The key that an address is counted under. One customer usually holds a whole /64 of IPv6. IPv4
 * stays itself, also when mapped into IPv6.
 */
export function subnetOf(address: string): string {
  const groups = groupsOf(address);
  return typeof groups === 'string' ? groups : textOf(groups.slice(0, 4));
}

/**
 * The networks that an address is counted under where a client could use many: narrowest first. Customers
 * hold a /64, a /56 or a /48 of IPv6.
 */
export function networksOf(address: string): readonly string[] {
  const groups = groupsOf(address);
  if (typeof groups === 'string') return [groups];

  const [a = 0, b = 0, c = 0, d = 0] = groups;
  return [textOf([a, b, c, d]), `${textOf([a, b, c, d & 0xff00])}/56`, `${textOf([a, b, c])}/48`];
}

/** The eight numbers of an IPv6 address; the text to count for any other. */
function groupsOf(address: string): number[] | string {
  // A proxy may forward text that is no address; its length is limited anyway.
  if (!isIPv6(address)) return address.slice(0, 64);
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1);

  const [head = '', tail = ''] = address.split('::');
  const [before = [], after = []] = [head, tail].map((part) =>
    part === '' ? [] : part.split(':'),
  );
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
}

function textOf(groups: readonly number[]): string {
  return groups.map((group) => group.toString(16)).join(':');
}
