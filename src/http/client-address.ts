// The address of a client, as the trusted proxies report it, and the network that it counts under. Limits per address
// are limits per network, because one customer usually holds a whole /64 of IPv6.
import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import type { Logger } from '../process/log.js';

/** An IPv4 address, or one in brackets; a port may follow. */
const withPort = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/;

/**
 * Creates the function that finds a client's address. Each trusted proxy appends the address of its
 * peer to X-Forwarded-For. Clients can forge all earlier entries. For every limit, text that is not an
 * address would be one more client, so such a request counts as one of the peer.
 * @param onProblem called for each request whose X-Forwarded-For is not used
 */
export function clientAddress(
  trustedProxies: number,
  onProblem: (problem: ForwardedForProblem) => void,
): (request: IncomingMessage) => string {
  return ({ socket, headers }) => {
    const peer = socket.remoteAddress ?? '';
    const forwarded = headers['x-forwarded-for'];
    if (forwarded === undefined) return peer;

    if (trustedProxies === 0) {
      onProblem('ignored');
      return peer;
    }

    const entries = String(forwarded)
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '');

    const entry = entries[Math.max(0, entries.length - trustedProxies)];
    const address = addressIn(entry ?? '');
    if (address === undefined) onProblem('invalid');

    return address ?? peer;
  };
}

/** The address of an entry, without brackets, port and zone; undefined if it has none. */
function addressIn(entry: string): string | undefined {
  const [, bracketed, ipv4] = withPort.exec(entry) ?? [];
  const [address = ''] = (bracketed ?? ipv4 ?? entry).split('%');
  return isIP(address) === 0 ? undefined : address;
}

/** What the log and `doctor` say when X-Forwarded-For arrives and is not used. */
export const forwardedForWarnings = {
  ignored:
    'X-Forwarded-For arrives and is ignored, because TRUSTED_PROXIES is 0. If your proxy adds it, ' +
    'all its clients share one address and its limits. Set TRUSTED_PROXIES to the number of proxies',
  invalid:
    'X-Forwarded-For has text in place of the address that the outermost trusted proxy appends. ' +
    'These clients share the address of the last proxy and its limits. Let the proxy append the ' +
    'address of its client, and set TRUSTED_PROXIES to the number of proxies',
} as const;

/** Why X-Forwarded-For of a request is not used. */
export type ForwardedForProblem = keyof typeof forwardedForWarnings;

/** Creates a handler for such requests: it counts each one, and logs each problem once. */
export function warnOnceAboutForwardedFor(
  log: Logger,
  count: (problem: ForwardedForProblem) => void,
): (problem: ForwardedForProblem) => void {
  const warned = new Set<ForwardedForProblem>();
  return (problem) => {
    count(problem);
    if (!warned.has(problem)) log.warn(forwardedForWarnings[problem]);
    warned.add(problem);
  };
}

/**
 * The key that an address is counted under: its /64 of IPv6, or the IPv4 address, also when it is mapped into
 * IPv6.
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
  // A proxy may forward text that is not an address; its length is limited anyway.
  if (!isIPv6(address)) return address.slice(0, 64);
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1);

  const [head = '', tail = ''] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
}

function textOf(groups: readonly number[]): string {
  return groups.map((group) => group.toString(16)).join(':');
}
