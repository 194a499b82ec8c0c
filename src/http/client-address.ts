import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { ForwardedForProblem } from './forwarded-for-warning.js';

/** An address in brackets or of IPv4, which a port may follow. */
const withPort = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/;

/**
 * Makes the function that finds a client's address. Each trusted proxy appends the address of its
 * peer to X-Forwarded-For. Clients can forge all earlier entries. An entry that is no address would
 * be a client of its own for every limit, so such a request counts as one of the peer.
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
