/** What readiness depends on. */
export interface Health {
  readonly stopping: () => boolean;
  /** Without one of these the process cannot do its work. */
  readonly required: Readonly<Record<string, () => Promise<unknown>>>;
  /** Missing, these make work late; they are named and do not count. */
  readonly optional: Readonly<Record<string, () => Promise<unknown>>>;
}

/** PostgreSQL answers, and something that the process needs in it is not there. */
export class DependencyMissing extends Error {
  override readonly name = 'DependencyMissing';
}

type State = 'ok' | 'away' | 'missing';

/** How a process is at this moment. */
export interface HealthReport {
  readonly ready: boolean;
  readonly dependencies: Readonly<Record<string, State>>;
}

const timeoutMs = 2_000;

/** Asks every dependency, each for two seconds at most. */
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
