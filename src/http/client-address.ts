import type { IncomingMessage } from 'node:http';

/**
 * Makes the function that finds a client's address. Each trusted proxy appends the address of its
 * peer to X-Forwarded-For. Clients can forge all earlier entries.
 * @param onIgnored called for each request whose X-Forwarded-For is ignored because no proxy is
 *   trusted
 */
export function clientAddress(
  trustedProxies: number,
  onIgnored: () => void,
): (request: IncomingMessage) => string {
  return ({ socket, headers }) => {
    const peer = socket.remoteAddress ?? '';
    if (trustedProxies === 0) {
      if (headers['x-forwarded-for'] !== undefined) onIgnored();
      return peer;
    }
    const forwarded = String(headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '');
    return forwarded[Math.max(0, forwarded.length - trustedProxies)] ?? peer;
  };
}
