import type { Read, Statement, Tx } from '../tx.js';
import { signalReplays } from './replay-signal.js';

/** Chains that one transaction cancels at most; workers take the rest. */
const cancelBatch = 1_000;
/** Chains that a change of endpoints looks at at most, however few of them it cancels. */
const cancelLook = 5_000;

/**
 * Ends chains that `doomed` selects: their latest failed record is abandoned (H61), and a replay
 * that never had an attempt gives its idempotency key back (H76.6). A chain that is being sent is
 * not touched; it ends when it settles.
 */
const cancelText = (doomed: string, rest: string) => `
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
           ${rest}
      from gone g`;

const notTaken = `(not e.active or e.deleted_at is not null
            or not (c.test or c.event_type = any (e.event_types)))`;

const cancelStatement: Statement = {
  name: 'chain_cancel',
  text: cancelText(
    `looked as (
      select c.id, ${notTaken} as unwanted
        from unnest($1::text[]) i (id)
        cross join lateral (select * from endpoint e where e.id = i.id limit 1) e
        cross join lateral (
          select c.id, c.test, c.event_type from chain c
           where c.endpoint_id = e.id and c.lease_token is null
           order by c.event_id limit $3) c
       limit $3
    ), doomed as (
      select c.id from chain c
       where c.id = any (array(select l.id from looked l where l.unwanted))
         and c.lease_token is null
       limit $2 for update skip locked
    )`,
    `(select count(*) >= $3 from looked l)
             or (select count(*) from looked l where l.unwanted) > count(*) as "anyLeft"`,
  ),
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
          (select c.id from unnest('{live,replay,alone}'::text[]) l (lane)
            cross join lateral (
              select c.id, c.test, c.event_type from chain c
               where e.live and c.ready and c.lane = l.lane and c.endpoint_id = w.endpoint_id
               order by c.due_at limit 100) c
            where not (c.test or c.event_type = any (e.event_types)))) c
       limit $2
    )`,
    `(select w.endpoint_id from walk w where w.step = 500) as next`,
  ),
};

interface Cancelled {
  readonly cancelled: number;
  readonly replays: number;
}

interface CancelledUpTo extends Cancelled {
  /** The last endpoint or event looked at, when there may be more behind it. */
  readonly next: string | null;
}

const oweStatement: Statement = {
  name: 'chain_cancel_owe',
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
 * Cancels the open chains that these endpoints no longer take (H22, H61, H72, H74): at most
 * {@link cancelBatch} of {@link cancelLook}. What may be left, for others may hold some at the moment,
 * is owed, and {@link cancelOwed} takes it. Call it after the endpoints' rows were changed in the
 * same transaction.
 * @param types those that are not subscribed any more; by default the endpoints take nothing at all
 * @returns how many were cancelled
 */
export async function cancelChains(
  tx: Tx,
  endpointIds: readonly string[],
  types: readonly string[] | null = null,
): Promise<number> {
  const [row] = await tx.sql<Cancelled & { readonly anyLeft: boolean }>(cancelStatement, [
    ...[endpointIds, cancelBatch, cancelLook],
  ]);
  if (!row) return 0;
  if (row.replays > 0) await signalReplays(tx);
  if (row.anyLeft) await tx.sql(oweStatement, [endpointIds, types]);
  return row.cancelled;
}

/** How far the chains of an endpoint have been looked through. */
export interface CancelPlace {
  readonly endpointId: string;
  /** Which change of the endpoint asked for it; a later one begins anew. */
  readonly since: Date;
  readonly eventId: string;
}

const owedStatement: Statement = {
  name: 'chain_cancel_owed',
  text: `
    select e.id as "endpointId", e.cancelling_since as since
      from endpoint e where e.cancelling_since is not null order by e.id limit 1`,
};

/** The next chains of an endpoint in the order of their events, and where they end. */
const windowStatement: Statement = {
  name: 'chain_cancel_window',
  text: cancelText(
    `bound as (
      select c.event_id from chain c where c.endpoint_id = $1 and c.event_id > $2
       order by c.event_id offset $3::int - 1 limit 1
    ), doomed as (
      select c.id from endpoint e cross join lateral (
        select c.* from chain c
         where c.endpoint_id = e.id and c.event_id > $2
           and c.event_id <= coalesce((select b.event_id from bound b), '~')) c
       where e.id = $1
         and (c.created_at <= e.cancel_before or ${notTaken}
           or not c.test and c.created_at <= (e.cancel_types ->> c.event_type)::timestamptz)
    )`,
    `(select b.event_id from bound b) as next`,
  ),
};

const paidStatement: Statement = {
  name: 'chain_cancel_paid',
  text: `
    update endpoint set cancelling_since = null, cancel_before = null, cancel_types = null
     where id = $1 and cancelling_since = $2`,
};

/**
 * Cancels what {@link cancelChains} owes, some {@link cancelBatch} chains of one endpoint; nothing of
 * that endpoint is claimed until all is done, so that claims need not read through it.
 * @param place where the call before ended
 * @returns `place` undefined when nothing more of that endpoint is owed
 */
export async function cancelOwed(
  tx: Tx,
  place: CancelPlace | undefined,
): Promise<{ readonly cancelled: number; readonly place: CancelPlace | undefined }> {
  const [owed] = await tx.sql<Omit<CancelPlace, 'eventId'>>(owedStatement, []);
  if (!owed) return { cancelled: 0, place: undefined };
  const { endpointId, since } = owed;
  const goesOn = place?.endpointId === endpointId && place.since.getTime() === since.getTime();
  const after = goesOn ? place.eventId : '';
  const [row] = await tx.sql<CancelledUpTo>(windowStatement, [endpointId, after, cancelBatch]);
  if (row && row.replays > 0) await signalReplays(tx);
  const cancelled = row?.cancelled ?? 0;
  if (row?.next != null) return { cancelled, place: { endpointId, since, eventId: row.next } };
  await tx.sql(paidStatement, [endpointId, since]);
  return { cancelled, place: undefined };
}

/** Whether {@link cancelOwed} has anything to do. */
export async function owesCancellations(read: Read): Promise<boolean> {
  const owed = await read.sql(owedStatement, []);
  return owed.length > 0;
}

/** What one look for cancelled chains that were left over came to. */
export interface SweptCancellations {
  readonly cancelled: number;
  /** Where the next look begins; empty at the end of a round. */
  readonly next: string;
}

/**
 * Cancels chains that were left over: scheduled by an attempt that ended, or interrupted, while its
 * endpoint was being switched off. Looks at a bounded number of
 * endpoints.
 * @param after the `next` of the call before; empty to begin
 */
export async function sweepCancelled(tx: Tx, after: string): Promise<SweptCancellations> {
  const [row] = await tx.sql<CancelledUpTo>(sweepStatement, [after, cancelBatch]);
  if (row && row.replays > 0) await signalReplays(tx);
  const cancelled = row?.cancelled ?? 0;
  // A full batch may have left chains of the same endpoints.
  return { cancelled, next: cancelled === cancelBatch ? after : (row?.next ?? '') };
}
