import type { Read, Statement, Tx } from '../tx.js';
import {
  cancelBatch,
  cancelStatementText,
  notDeliverable,
  runCancel,
} from './sql/cancel-statement.js';

/** An endpoint with more pending deliveries to cancel than the change that asked for it has cancelled. */
export interface PendingCancellation {
  readonly endpointId: string;
  /** Which change asked for it; after a later one its pending deliveries are looked through anew. */
  readonly since: Date;
}

/**
 * The least of an expression that no index has: asked for the first by id, a planner that knows of no
 * endpoints yet would walk along all there are.
 */
const nextStatement: Statement = {
  name: 'pending_delivery_cancel_next',
  text: `
    select e.id as "endpointId", e.cancelling_since as since
      from (select coalesce(min(e.id || '') filter (where e.id > $1), min(e.id || '')) as id
              from endpoint e where e.cancelling_since is not null) o
      cross join lateral (select * from endpoint e where e.id = o.id limit 1) e`,
};

/**
 * The next endpoint that owes cancellations, in turn, so that none waits for another one's backlog.
 * @param after the endpoint whose turn it was; empty to begin
 */
export async function nextPendingCancellation(
  read: Read,
  after: string,
): Promise<PendingCancellation | undefined> {
  const [pendingCancellation] = await read.sql<PendingCancellation>(nextStatement, [after]);
  return pendingCancellation;
}

/** The next pending deliveries of an endpoint in the order of their events, and where they end. */
const windowStatement: Statement = {
  name: 'pending_delivery_cancel_window',
  text: cancelStatementText(
    `bound as (
      select c.event_id from pending_delivery c where c.endpoint_id = $1 and c.event_id > $2
       order by c.event_id offset $3::int - 1 limit 1
    ), doomed as (
      select c.id from endpoint e cross join lateral (
        select c.* from pending_delivery c
         where c.endpoint_id = e.id and c.event_id > $2
           and c.event_id <= coalesce((select b.event_id from bound b), '~')) c
       where e.id = $1
         and (c.created_at <= e.cancel_before or ${notDeliverable}
           or not c.test and c.created_at <= (e.cancel_types ->> c.event_type)::timestamptz)
    )`,
    `(select b.event_id from bound b) as next`,
  ),
};

const doneStatement: Statement = {
  name: 'pending_delivery_cancel_done',
  text: `
    update endpoint set cancelling_since = null, cancel_before = null, cancel_types = null
     where id = $1 and cancelling_since = $2`,
};

/**
 * Cancels what `cancelPendingDeliveries` owes, some {@link cancelBatch} pending deliveries; nothing of that endpoint is
 * claimed until all is done, so that claims need not read through it.
 * @param after the event that the call before ended with; empty to begin
 * @returns `next` undefined when nothing more of that endpoint is owed
 */
export async function cancelFromBacklog(
  tx: Tx,
  { endpointId, since }: PendingCancellation,
  after: string,
): Promise<{ readonly cancelled: number; readonly next: string | undefined }> {
  const { cancelled, next } = await runCancel<{ readonly next: string | null }>(
    tx,
    windowStatement,
    [endpointId, after, cancelBatch],
  );
  if (next === null) await tx.sql(doneStatement, [endpointId, since]);
  return { cancelled, next: next ?? undefined };
}
