// Whether a process works: the state of what it needs, for `/readyz` and `/status`. Each dependency is asked for at
// most two seconds, so that no probe hangs on PostgreSQL.
import { PartitionsMissing } from '../database/partitions.js';
import { WritesRefused } from '../database/database.js';

/** What a process needs, and how to ask for it. */
export interface Health {
  readonly stopping: () => boolean;
  /** The process cannot work without these. */
  readonly required: Readonly<Record<string, () => Promise<unknown>>>;
  /** Without these, work is delayed. They are reported but do not affect readiness. */
  readonly optional: Readonly<Record<string, () => Promise<unknown>>>;
}

/** `missing`: PostgreSQL has no partition for new rows; `refused`: it refuses writes; `away`: any other failure. */
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
  if (error instanceof PartitionsMissing) return 'missing';
  return error instanceof WritesRefused ? 'refused' : 'away';
}
