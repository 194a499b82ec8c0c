export interface Health {
  readonly stopping: () => boolean;
  /** The process cannot work without these. */
  readonly required: Readonly<Record<string, () => Promise<unknown>>>;
  /** Without these, work is late. They are reported but do not affect readiness. */
  readonly optional: Readonly<Record<string, () => Promise<unknown>>>;
}

/** PostgreSQL answers, but lacks something that the process needs. */
export class DependencyMissing extends Error {
  override readonly name = 'DependencyMissing';
}

type State = 'ok' | 'away' | 'missing';

/** The result of a readiness check. */
export interface HealthReport {
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
      (error: unknown) => resolve(error instanceof DependencyMissing ? 'missing' : 'away'),
    );
    timer.unref();
  });
}
