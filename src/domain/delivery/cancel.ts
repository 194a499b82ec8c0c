import type { Statement, Tx } from '../tx.js';
import { signalReplays } from './replay-signal.js';

/** Chains that one transaction cancels at most; the sweep takes the rest. */
const cancelBatch = 1_000;

/**
 * Ends chains that `doomed` selects: their latest failed record is abandoned (H61), and a replay
 * that never had an attempt gives its idempotency key back (H76.6). A chain that is being sent is
 * not touched; it ends when it settles.
 */
const cancelText = (doomed: string, next = 'null') => `
    with ${doomed}, gone as (
      delete from chain c
       where c.id = any (array(select d.id from doomed d)) and c.lease_token is null
      returning c.id, c.last_delivery_id, c.replayed_from, c.attempt
    ), closed as (
      update delivery d set status = 'abandoned'
       where d.id = any (array(select g.last_delivery_id from gone g
                                where g.last_delivery_id is not null))
         and d.status = 'failed'
    ), freed as (
      delete from stored_response s
       where s.chain_id = any (array(select g.id from gone g
                                      where g.replayed_from is not null and g.attempt = 1))
         and s.status is null
    )
    select count(*)::int as cancelled,
           count(*) filter (where g.replayed_from is not null and g.attempt = 1)::int as replays,
           ${next} as next
      from gone g`;

const notTaken = `(not e.active or e.deleted_at is not null
            or not (c.test or c.event_type = any (e.event_types)))`;

const cancelStatement: Statement = {
  name: 'chain_cancel',
  text: cancelText(`doomed as (
      select c.id from chain c join endpoint e on e.id = c.endpoint_id
       where c.endpoint_id = any ($1::text[]) and c.lease_token is null and ${notTaken}
       limit $2 for update of c skip locked
    )`),
};

/**
 * Dead endpoints among the next 500 that have open chains, and chains at the front of a live
 * endpoint's queue that no claim takes, because their type is not subscribed any more.
 */
const sweepStatement: Statement = {
  name: 'chain_cancel_sweep',
  text: cancelText(
    `recursive walk (endpoint_id, step) as (
      (select c.endpoint_id, 1 from chain c where c.endpoint_id > $1
        order by c.endpoint_id limit 1)
      union all
      select n.endpoint_id, w.step + 1 from walk w cross join lateral (
        select c.endpoint_id from chain c where c.endpoint_id > w.endpoint_id
         order by c.endpoint_id limit 1) n
      where w.step < 500
    ), doomed as (
      select c.id from walk w
        cross join lateral (
          select e.*, e.active and e.deleted_at is null as live
            from endpoint e where e.id = w.endpoint_id limit 1) e
        cross join lateral (
          (select c.id from chain c
            where not e.live and c.endpoint_id = w.endpoint_id and c.lease_token is null
            limit $2)
          union all
          (select c.id from unnest('{live,replay}'::text[]) l (lane)
            cross join lateral (
              select c.id, c.test, c.event_type from chain c
               where e.live and c.ready and c.lane = l.lane and c.endpoint_id = w.endpoint_id
               order by c.due_at limit 100) c
            where not (c.test or c.event_type = any (e.event_types)))) c
       limit $2
    )`,
    `(select w.endpoint_id from walk w where w.step = 500)`,
  ),
};

interface Cancelled {
  /** The last endpoint looked at, when there may be more behind it. */
  readonly next: string | null;
  readonly cancelled: number;
  readonly replays: number;
}

/**
 * Cancels the open chains that these endpoints no longer take, at most {@link cancelBatch}; call it
 * after the endpoints' rows were changed in the same transaction (H22, H61, H72, H74).
 * @returns how many were cancelled
 */
export async function cancelChains(tx: Tx, endpointIds: readonly string[]): Promise<number> {
  const [row] = await tx.sql<Cancelled>(cancelStatement, [endpointIds, cancelBatch]);
  if (row && row.replays > 0) await signalReplays(tx);
  return row?.cancelled ?? 0;
}

/** What one look for cancelled chains that were left over came to. */
export interface SweptCancellations {
  readonly cancelled: number;
  /** Where the next look begins; empty at the end of a round. */
  readonly next: string;
}

/**
 * Cancels chains that were left over: more than {@link cancelBatch} of one endpoint, or scheduled by
 * an attempt that ended while its endpoint was being switched off. Looks at a bounded number of
 * endpoints.
 * @param after the `next` of the call before; empty to begin
 */
export async function sweepCancelled(tx: Tx, after: string): Promise<SweptCancellations> {
  const [row] = await tx.sql<Cancelled>(sweepStatement, [after, cancelBatch]);
  if (row && row.replays > 0) await signalReplays(tx);
  const cancelled = row?.cancelled ?? 0;
  // A full batch may have left chains of the same endpoints.
  return { cancelled, next: cancelled === cancelBatch ? after : (row?.next ?? '') };
}
