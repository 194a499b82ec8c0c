import type { serviceStatusQuery } from '../generated/operator-documents.js';

/** What the service says of itself. */
export type Status = serviceStatusQuery['status'];

/** The roles of the workers; each has work that no other role does. */
const everyRole = ['deliver', 'replay', 'notify', 'expire'];

/** The roles that no worker has which is alive. */
export function missingRoles(workers: NonNullable<Status['workers']>): string[] {
  const roles = new Set(workers.flatMap((worker) => worker.roles));
  return everyRole.filter((role) => !roles.has(role));
}

/** The share of attempts that succeeded; undefined without an attempt. */
export function successRate({
  success,
  failed,
  abandoned,
}: Pick<NonNullable<Status['outcomes']>, 'success' | 'failed' | 'abandoned'>): number | undefined {
  const attempts = success + failed + abandoned;
  return attempts === 0 ? undefined : success / attempts;
}

/** The dependencies that do not work, by name. */
export function awayDependencies({ dependencies }: Status): string[] {
  return dependencies.filter(({ state }) => state !== 'ok').map(({ name }) => name);
}

/** Where the service stops counting pending deliveries and mails. */
export const countLimits = { deliveries: 100_000, notices: 10_000 } as const;

/** A due delivery waits longer than this only when workers are missing or too few. */
const lateSeconds = 60;

/** Whether an age asks for an operator. */
export function isLate(seconds: number): boolean {
  return seconds > lateSeconds;
}
