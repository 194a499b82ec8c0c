import type { Statement, Tx } from '../tx.js';
import {
  cancelBatch,
  cancelStatementText,
  notDeliverable,
  runCancel,
} from './sql/cancel-statement.js';

/** Pending deliveries that a change of endpoints looks at at most, however few of them it cancels. */
const cancelScanLimit = 5_000;

const cancelStatement: Statement = {
  name: 'pending_delivery_cancel',
  text: cancelStatementText(
    `looked as (
      select c.id, ${notDeliverable} as unwanted
        from unnest($1::text[]) i (id)
        cross join lateral (select * from endpoint e where e.id = i.id limit 1) e
        cross join lateral (
          select c.id, c.test, c.event_type from pending_delivery c
           where c.endpoint_id = e.id and c.lease_token is null
           order by c.event_id limit $3) c
       limit $3
    ), doomed as (
      select c.id from pending_delivery c
       where c.id = any (array(select l.id from looked l where l.unwanted))
         and c.lease_token is null
       limit $2 for update skip locked
    )`,
    `(select count(*) >= $3 from looked l)
             or (select count(*) from looked l where l.unwanted) > count(*) as "anyLeft"`,
  ),
};

const enqueueStatement: Statement = {
  name: 'pending_delivery_cancel_enqueue',
  text: `
    update endpoint e
       set cancelling_since = e.updated_at,
           cancel_before = case when $2::text[] is null then e.updated_at else e.cancel_before end,
           cancel_types = case when $2::text[] is not null then
             coalesce(e.cancel_types, '{}')
               || (select jsonb_object_agg(t.type, e.updated_at) from unnest($2::text[]) t (type))
           end
     where e.id = any ($1::text[])`,
};

/**
 * Cancels the open pending deliveries that these endpoints no longer take (H22, H61, H72, H74): at most
 * {@link cancelBatch} of {@link cancelScanLimit}. What may be left, for others may hold some at the moment,
 * is owed, and `cancelFromBacklog` takes it. Call it after the endpoints' rows were changed in the
 * same transaction.
 * @param types those that are not subscribed any more; by default the endpoints take nothing at all
 * @returns how many were cancelled
 */
export async function cancelPendingDeliveries(
  tx: Tx,
  endpointIds: readonly string[],
  types: readonly string[] | null = null,
): Promise<number> {
  const { cancelled, anyLeft } = await runCancel<{ readonly anyLeft: boolean }>(
    tx,
    cancelStatement,
    [endpointIds, cancelBatch, cancelScanLimit],
  );
  if (anyLeft) await tx.sql(enqueueStatement, [endpointIds, types]);
  return cancelled;
}
