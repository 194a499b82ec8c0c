import type { QueryRunner } from 'typeorm';

/**
 * Keeps a migration from being taken back while that would forget what is owed.
 * @param owed a query that finds something while anything is
 * @param advice what to do first
 * @throws Error with `advice` when anything is owed
 */
export async function refuseWhile(
  runner: QueryRunner,
  owed: string,
  advice: string,
): Promise<void> {
  const found = (await runner.query(`${owed} limit 1`)) as unknown[];
  if (found.length > 0) throw new Error(advice);
}

/** {@link refuseWhile} endpoints owe cancellations. */
export function refuseWhileCancelling(runner: QueryRunner): Promise<void> {
  return refuseWhile(
    runner,
    'select id from endpoint where cancelling_since is not null',
    'cancellations are owed: let a worker make them first',
  );
}
