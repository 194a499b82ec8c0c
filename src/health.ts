/** What readiness depends on. */
export interface Health {
  readonly stopping: () => boolean;
  /** Without one of these the process cannot do its work. */
  readonly needed: Readonly<Record<string, () => Promise<unknown>>>;
  /** Missing, these make work late; they are named and do not count. */
  readonly useful: Readonly<Record<string, () => Promise<unknown>>>;
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

const patienceMs = 2_000;

/** Asks every dependency, each for two seconds at most. */
export async function healthOf({ stopping, needed, useful }: Health): Promise<HealthReport> {
  const [must, may] = await Promise.all([askAll(needed), askAll(useful)]);
  const ready = !stopping() && Object.values(must).every((state) => state === 'ok');
  return { ready, dependencies: { ...must, ...may } };
}

async function askAll(
  dependencies: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<Record<string, State>> {
  const asked = Object.entries(dependencies).map(
    async ([name, ask]) => [name, await answers(ask)] as const,
  );
  return Object.fromEntries(await Promise.all(asked));
}

function answers(ask: () => Promise<unknown>): Promise<State> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('away'), patienceMs);
    ask().then(
      () => resolve('ok'),
      (error: unknown) => resolve(error instanceof DependencyMissing ? 'missing' : 'away'),
    );
    timer.unref();
  });
}
