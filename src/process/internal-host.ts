// The names under which a listener of operators answers. This prevents DNS rebinding: another site can point its own
// name to the address of this machine and then read what the browser gets from here. It cannot do so with an address,
// a name without a dot, or the names of a Kubernetes cluster.
import { isIP, isIPv6 } from 'node:net';

/**
 * Whether a Host header names a listener of operators.
 * @param names further accepted names, in lower case
 */
export function isInternalHost(host: string | undefined, names: readonly string[]): boolean {
  // Every browser sends a Host header.
  if (host === undefined || host === '') return true;
  const name = host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
  if (name.startsWith('[')) return isIPv6(name.slice(1, -1));
  if (isIP(name) !== 0 || !name.includes('.')) return true;
  return /\.(?:svc|cluster\.local)$/.test(name) || names.includes(name);
}

/** Why a listener of operators rejects a request. */
export const foreignHostDetail =
  'The Host header is not a name of this listener. Use its address, or add the name to INTERNAL_HOSTS.';
