import { type Purge, purgeOf } from '../purge.js';
import { singleRow } from '../rows.js';
import type { Read, Statement } from '../tx.js';

const expireStatement: Statement = {
  name: 'recovery_expire',
  text: `
    update recovery r
       set status = 'cancelled', reason = 'expired', waits_for = null, updated_at = now(), ended_at = now()
     where r.id = any (array(
       select p.id from recovery p
        where p.status = 'paused' and p.updated_at < now() - interval '30 days'
        limit $1 for update skip locked))`,
};

const purgeEnded = purgeOf('recovery', 'ended_at', '40 days');

/**
 * Cancels recoveries that were paused for 30 days, and deletes those that ended more than 40 days
 * ago, at most `limit` of each.
 */
export const purgeRecoveries: Purge = async (tx, limit) => {
  await tx.sql(expireStatement, [limit]);
  return purgeEnded(tx, limit);
};

/** In SQL: a recovery is running. */
export const runningRecoveries = `exists (
    select from recovery r where r.status in ('running', 'paused') and r.status = 'running')`;

const dueStatement: Statement = {
  name: 'recovery_due',
  text: `
    select ${runningRecoveries} as running,
           exists (select from recovery r where r.status in ('running', 'paused') and r.status = 'running'
                      and r.next_step_at <= now()) as due,
           exists (select from pending_delivery c
                    where c.ready and c.lease_token is null and c.lane = 'recovery') as ready`,
};

/** What the worker asks for while recoveries run. */
export interface RecoveriesDue {
  /** Whether a recovery is running. */
  readonly running: boolean;
  /** Whether a step of one is due. */
  readonly due: boolean;
  /** Whether a delivery of one is ready to be claimed. */
  readonly ready: boolean;
}

/** Reads in one statement whether recoveries have work. */
export function recoveriesDue(read: Read): Promise<RecoveriesDue> {
  return singleRow<RecoveriesDue>(read, dueStatement);
}

const countStatement: Statement = {
  name: 'recovery_count',
  text: `
    select count(*) filter (where r.status = 'running')::int as running,
           count(*) filter (where r.status = 'paused')::int as paused
      from recovery r where r.status in ('running', 'paused')`,
};

/** Active recoveries of all accounts, for operators. */
export interface ActiveRecoveries {
  readonly running: number;
  readonly paused: number;
}

/** Counts the recoveries that have not ended. */
export function countRecoveries(read: Read): Promise<ActiveRecoveries> {
  return singleRow<ActiveRecoveries>(read, countStatement);
}
