import type { Statement, Tx } from '../tx.js';
import { signalReplays } from './replay-signal.js';

/** Chains that one transaction cancels at most; workers take the rest. */
export const cancelBatch = 1_000;

/**
 * Ends chains that `doomed` selects: their latest failed record is abandoned (H61), and a replay
 * that never had an attempt gives its idempotency key back (H76.6). A chain that is being sent is
 * not touched; it ends when it settles. Whatever the planner knows, a range of two bounds seems to
 * it to hold next to nothing: so it looks for each record by its key, in the one partition of its id,
 * and hashes no history.
 * @param doomed common table expressions, the last of them `doomed` with the chains' ids
 * @param rest what else the statement tells
 */
export const cancelText = (doomed: string, rest: string) => `
    with ${doomed}, gone as (
      delete from chain c
       where c.id = any (array(select d.id from doomed d)) and c.lease_token is null
      returning c.id, c.account_id, c.last_delivery_id, c.replayed_from, c.attempt
    ), closed as (
      update delivery d set status = 'abandoned'
        from gone g
       where d.account_id = g.account_id and d.id = g.last_delivery_id
         and g.last_delivery_id > 'whd_' and g.last_delivery_id < 'whd_~'
         and d.status = 'failed'
      returning d.id
    ), freed as (
      delete from stored_response s
       where s.chain_id = any (array(select g.id from gone g
                                      where g.replayed_from is not null and g.attempt = 1))
         and s.status is null
    )
    select count(*)::int as cancelled,
           count(*) filter (where g.replayed_from is not null and g.attempt = 1)::int as replays,
           (select count(*)::int from closed) as abandoned, ${rest}
      from gone g`;

/** That endpoint `e` does not take chain `c`. */
export const notTaken = `(not e.active or e.deleted_at is not null
            or not (c.test or c.event_type = any (e.event_types)))`;

interface Cancelled {
  readonly cancelled: number;
  readonly replays: number;
  readonly abandoned: number;
}

/** Runs a statement of {@link cancelText}; whoever waits for a replay that it ended is told. */
export async function runCancel<Rest extends object>(
  tx: Tx,
  statement: Statement,
  values: readonly unknown[],
): Promise<Rest & { readonly cancelled: number }> {
  const [row] = await tx.sql<Cancelled & Rest>(statement, values);
  if (!row) throw new Error(`${statement.name} returned no row`);
  if (row.replays > 0) await signalReplays(tx);
  if (row.abandoned > 0) tx.abandoned(row.abandoned);
  return row;
}
