// Whether a process works: the state of what it needs, for `/readyz`, and the names under which a listener of
// operators answers. Each dependency is asked for at most two seconds, so that no probe hangs on PostgreSQL.
import { isIP, isIPv6 } from 'node:net';
import { missingPartitions } from '../database/partitions.js';
import { WritesRefused } from '../database/database.js';
import type { Read } from '../domain/transaction/tx.js';

export interface Health {
  readonly stopping: () => boolean;
  /** The process cannot work without these. */
  readonly required: Readonly<Record<string, () => Promise<unknown>>>;
  /** Without these, work is delayed. They are reported but do not affect readiness. */
  readonly optional: Readonly<Record<string, () => Promise<unknown>>>;
}

/** PostgreSQL responds, but something that the process needs is missing. */
class DependencyMissing extends Error {
  override readonly name = 'DependencyMissing';
}

type State = 'ok' | 'away' | 'missing' | 'refused';

/** The result of a readiness check. */
interface HealthReport {
  readonly ready: boolean;
  readonly dependencies: Readonly<Record<string, State>>;
}

const timeoutMs = 2_000;

/** Checks every dependency, for at most 2 seconds each. */
export async function checkHealth({ stopping, required, optional }: Health): Promise<HealthReport> {
  const [requiredStates, optionalStates] = await Promise.all([
    pingAll(required),
    pingAll(optional),
  ]);
  const ready = !stopping() && Object.values(requiredStates).every((state) => state === 'ok');
  return { ready, dependencies: { ...requiredStates, ...optionalStates } };
}

async function pingAll(
  dependencies: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<Record<string, State>> {
  const pings = Object.entries(dependencies).map(
    async ([name, ping]) => [name, await stateOf(ping)] as const,
  );
  return Object.fromEntries(await Promise.all(pings));
}

function stateOf(ping: () => Promise<unknown>): Promise<State> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('away'), timeoutMs);
    ping().then(
      () => resolve('ok'),
      (error: unknown) => resolve(stateAfter(error)),
    );
    timer.unref();
  });
}

function stateAfter(error: unknown): State {
  if (error instanceof DependencyMissing) return 'missing';
  return error instanceof WritesRefused ? 'refused' : 'away';
}

/**
 * Whether a Host header names a listener of operators. This prevents DNS rebinding: another site can point
 * its own name to the address of this machine and then read what the browser gets from here. It cannot do
 * so with an address, a name without a dot, or the names of a Kubernetes cluster.
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

/**
 * Checks that the current rows have a partition.
 * @throws DependencyMissing with the missing partitions
 */
export async function checkPartitions(read: Read): Promise<void> {
  const missing = await missingPartitions(read);
  if (missing.length > 0) throw new DependencyMissing(missing.join(', '));
}
