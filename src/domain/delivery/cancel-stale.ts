import type { Statement, Tx } from '../tx.js';
import { cancelBatch, cancelStatementText, runCancel } from './sql/cancel-statement.js';

/**
 * Dead endpoints among the next 500 that have open pending deliveries, and pending deliveries at the front of a live
 * endpoint's queue that no claim takes, because their type is not subscribed any more. From the last
 * endpoint to the first, because each step meets an endpoint's latest event so: that of the oldest has been
 * delivered, in a queue that moves, and its entry and all others up to the first open one stay in the
 * index until the next vacuum.
 */
const staleStatement: Statement = {
  name: 'pending_delivery_cancel_stale',
  text: cancelStatementText(
    `recursive walk (endpoint_id, step) as (
      (select c.endpoint_id, 1 from pending_delivery c where c.endpoint_id < coalesce(nullif($1, ''), '~')
        order by c.endpoint_id desc limit 1)
      union all
      select n.endpoint_id, w.step + 1 from walk w cross join lateral (
        select c.endpoint_id from pending_delivery c where c.endpoint_id < w.endpoint_id
         order by c.endpoint_id desc limit 1) n
      where w.step < 500
    ), found as (
      select c.id from walk w
        cross join lateral (
          select e.*, e.active and e.deleted_at is null as live
            from endpoint e where e.id = w.endpoint_id limit 1) e
        cross join lateral (
          (select c.id from pending_delivery c
            where not e.live and c.endpoint_id = w.endpoint_id and c.lease_token is null
            limit $2)
          union all
          (select c.id from unnest('{live,replay,isolated}'::text[]) l (lane)
            cross join lateral (
              select c.id, c.test, c.event_type from pending_delivery c
               where e.live and c.ready and c.lease_token is null
                 and c.lane = l.lane and c.account_id = e.account_id
                 and c.endpoint_id = w.endpoint_id
               order by c.due_at limit 100) c
            where not (c.test or c.event_type = any (e.event_types)))) c
       limit $2
    ), doomed as (
      select c.id from pending_delivery c
       where c.id = any (array(select f.id from found f)) and c.lease_token is null
         for update skip locked
    )`,
    `(select w.endpoint_id from walk w where w.step = 500) as next`,
  ),
};

/** What one look for cancelled pending deliveries that were left over came to. */
export interface StaleCancellations {
  readonly cancelled: number;
  /** Where the next look begins; empty at the end of a round. */
  readonly next: string;
}

/**
 * Cancels pending deliveries that were left over: scheduled by an attempt that ended, or interrupted, while its
 * endpoint was being switched off. Looks at a bounded number of endpoints, and passes over what
 * somebody else holds at the moment.
 * @param after the `next` of the call before; empty to begin
 */
export async function cancelStale(tx: Tx, after: string): Promise<StaleCancellations> {
  const { cancelled, next } = await runCancel<{ readonly next: string | null }>(
    tx,
    staleStatement,
    [after, cancelBatch],
  );
  // A full batch may have left pending deliveries of the same endpoints.
  return { cancelled, next: cancelled === cancelBatch ? after : (next ?? '') };
}
