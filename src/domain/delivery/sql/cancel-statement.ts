import type { Statement, Tx } from '../../tx.js';
import { signalReplays } from './notify-replays.js';

/** Pending deliveries that one transaction cancels at most; workers take the rest. */
export const cancelBatch = 1_000;

/**
 * Ends pending deliveries that `doomed` selects: their latest failed record is abandoned (H61), and a replay
 * that never had an attempt gives its idempotency key back (H76.6). A pending delivery that is being sent is
 * not touched; it ends when it settles. Each record is looked for by its key, as `oneDelivery`
 * does and in the one partition of its id, and written by its place: a join with what is gone could be
 * planned as a comparison with each record of the account. A place stands for a row in each partition.
 * @param toCancel common table expressions, the last of them `doomed` with the pending deliveries' ids
 * @param rest what else the statement tells
 */
export const cancelStatementText = (toCancel: string, rest: string) => `
    with ${toCancel}, gone as (
      delete from pending_delivery c
       where c.id = any (array(select d.id from doomed d)) and c.lease_token is null
      returning c.id, c.account_id, c.last_delivery_id, c.replayed_from, c.attempt
    ), failed as (
      select d.place, d.id from gone g cross join lateral (
        select ctid as place, id, status from delivery
         where account_id = g.account_id and id between g.last_delivery_id and g.last_delivery_id
         order by id desc limit 1) d
       where d.status = 'failed'
    ), closed as (
      update delivery d set status = 'abandoned'
       where d.ctid = any (array(select f.place from failed f))
         and coalesce(d.id in (select f.id from failed f), false)
      returning d.id
    ), freed as (
      delete from idempotency_record s
       where s.pending_delivery_id = any (array(select g.id from gone g
                                      where g.replayed_from is not null and g.attempt = 1))
         and s.status is null
    )
    select count(*)::int as cancelled,
           count(*) filter (where g.replayed_from is not null and g.attempt = 1)::int as replays,
           (select count(*)::int from closed) as abandoned, ${rest}
      from gone g`;

/** That endpoint `e` does not take pending delivery `c`. */
export const notDeliverable = `(not e.active or e.deleted_at is not null
            or not (c.test or c.event_type = any (e.event_types)))`;

interface Cancelled {
  readonly cancelled: number;
  readonly replays: number;
  readonly abandoned: number;
}

/** Runs a statement of {@link cancelStatementText}; whoever waits for a replay that it ended is told. */
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
