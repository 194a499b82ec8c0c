// Cancels pending deliveries that their endpoints no longer take, because they were disabled, deleted or
// unsubscribed.
//
// Three ways, one after the other: the transaction that changes an endpoint cancels a bounded part at once; the
// rest is the endpoint's cancellation backlog, which workers cancel in windows, and until then no claim takes
// from that endpoint; what attempts leave behind that ended during the change is stale, and a slow walk over
// all endpoints finds it.
//
// Invariant: a pending delivery that is claimed is left alone; its result ends it. A crash leaves the backlog
// on the endpoint (`cancelling_since`), and the next poll of any worker goes on.
import { recordChange } from '../audit/audit-log.js';
import { DomainError } from '../errors.js';
import { rowById, singleRow } from '../transaction/rows.js';
import type { Read, Statement, Tx } from '../transaction/tx.js';
import { deliveriesReady, type OrderedSubject } from '../transaction/wakeup.js';
import { signalReplays } from './replay.js';
import { hourOf } from './statistics.js';

/**
 * Pending deliveries that one change of endpoints scans, at most, even if few match.
 */
const cancelScanLimit = 5_000;

/**
 * Cancels the open pending deliveries that these endpoints no longer take: at most
 * {@link cancelBatch}, after scanning {@link cancelScanLimit}. Records a cancellation backlog for
 * `cancelFromBacklog` if some may be left, for example rows that another transaction has locked.
 * Call it in the transaction that changed the endpoints, after that change.
 * @param types types that are no longer subscribed. Defaults to null: the endpoints take nothing.
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

/** An endpoint whose change left pending deliveries to cancel. */
export interface PendingCancellation {
  readonly endpointId: string;
  /**
   * Time of the change that needs it. A later change restarts the scan of its pending deliveries.
   */
  readonly since: Date;
}

/**
 * Returns the next endpoint with a cancellation backlog. Endpoints take turns, so none waits for
 * the backlog of another.
 * @param after the endpoint of the call before; empty to begin
 */
export async function nextPendingCancellation(
  read: Read,
  after: string,
): Promise<PendingCancellation | undefined> {
  const [pendingCancellation] = await read.sql<PendingCancellation>(nextStatement, [after]);
  return pendingCancellation;
}

/**
 * Cancels one window of an endpoint's cancellation backlog: about {@link cancelBatch} pending
 * deliveries. Claims skip the endpoint until its backlog is empty, so they need not read through
 * it.
 * @param after the event that the call before ended with; empty to begin
 * @returns `next` is undefined when the backlog of that endpoint is empty
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

/** The result of one call of {@link cancelStale}. */
export interface StaleCancellations {
  readonly cancelled: number;
  /** The endpoint where the next call begins; empty when the walk is complete. */
  readonly next: string;
}

/**
 * Cancels stale pending deliveries: those of attempts that ended, or were interrupted, while their endpoint
 * was being changed. Looks at 500 endpoints at most and skips rows that another
 * transaction has locked.
 * @param after the `next` of the call before; empty to begin
 */
export async function cancelStale(tx: Tx, after: string): Promise<StaleCancellations> {
  const { cancelled, next } = await runCancel<{ readonly next: string | null }>(
    tx,
    staleStatement,
    [after, cancelBatch],
  );
  // A full batch may have left pending deliveries of the same endpoints behind.
  return { cancelled, next: cancelled === cancelBatch ? after : (next ?? '') };
}

/**
 * Gives up a pending delivery: no further attempt is made, and the next delivery of its subject goes, if its endpoint
 * has order. Its latest failed record becomes abandoned.
 * @throws DomainError not_found; delivery_in_progress while an attempt runs
 */
export async function giveUpDelivery(tx: Tx, account: string, id: string): Promise<void> {
  const { cancelled } = await runCancel(tx, giveUpStatement, [id, account]);
  if (cancelled === 0) {
    await rowById(tx, 'pdl', pendingStatement, [id, account]);
    const detail = 'An attempt of this delivery is in progress. Retry later.';
    throw new DomainError('delivery_in_progress', detail, undefined, 15);
  }

  recordChange(tx, { action: 'delivery_given_up', account, resource: id });
}

interface Cancelled {
  readonly cancelled: number;
  readonly replays: number;
  readonly abandoned: number;
  /** The ordered subjects whose open deliveries were cancelled; null for none. */
  readonly subjects: readonly OrderedSubject[] | null;
}

/**
 * Runs a statement that cancels. Notifies callers that wait for a replay it ended, and lets the next deliveries of
 * ordered subjects go after the commit.
 */
async function runCancel<Rest extends object>(
  tx: Tx,
  statement: Statement,
  values: readonly unknown[],
): Promise<Rest & { readonly cancelled: number }> {
  const row = await singleRow<Cancelled & Rest>(tx, statement, values);
  if (row.replays > 0) await signalReplays(tx);
  if (row.abandoned > 0) tx.countAbandoned(row.abandoned);
  if (row.subjects) tx.wake({ ...deliveriesReady, subjects: row.subjects });
  return row;
}

/** One transaction cancels at most this many pending deliveries; workers cancel the rest. */
const cancelBatch = 1_000;

/**
 * Builds a statement that deletes the pending deliveries that `selected` names.
 * - Their latest failed record becomes abandoned.
 * - A replay without an attempt releases its idempotency key.
 * - A recovery no longer counts one that had no attempt.
 * - A pending delivery that is claimed stays; its result ends it.
 * Each record is found by its key in the one partition of its id, as `oneDelivery` does, and
 * updated by its ctid. The planner could turn a join with the deleted rows into a scan of all
 * records of the account. A ctid is unique only within a partition, so the id is compared too.
 * @param toCancel common table expressions; the last is `selected` with the ids of pending deliveries
 * @param rest further columns of the result, with a comma before each
 */
const cancelStatementText = (toCancel: string, rest = '') => `
    with ${toCancel}, cancelled as (
      delete from pending_delivery c
       where c.id = any (array(select s.id from selected s)) and c.lease_token is null
      returning c.id, c.account_id, c.endpoint_id, c.last_delivery_id, c.replayed_from, c.attempt,
                c.lane, c.subject_key, c.due_at
    ), failed as (
      select d.ctid, d.id from cancelled c cross join lateral (
        select ctid, id, status from delivery
         where account_id = c.account_id and id between c.last_delivery_id and c.last_delivery_id
         order by id desc limit 1) d
       where d.status = 'failed'
    ), closed as (
      update delivery d set status = 'abandoned'
       where d.ctid = any (array(select f.ctid from failed f))
         and coalesce(d.id in (select f.id from failed f), false)
      returning d.id, d.endpoint_id, d.created_at, d.test
    ), counted as (
      insert into delivery_statistics_delta (endpoint_id, hour, failed, abandoned)
      select d.endpoint_id, ${hourOf('d.created_at')}, -count(*), count(*)
        from closed d where not d.test group by 1, 2
    ), withdrawn as (
      update recovery r set failed = r.failed - w.failed, missed = r.missed - w.missed
        from (select c.endpoint_id, count(c.replayed_from) as failed,
                     count(*) - count(c.replayed_from) as missed
                from cancelled c where c.lane = 'recovery' and c.last_delivery_id is null
               group by c.endpoint_id) w
       where r.endpoint_id = w.endpoint_id and r.status in ('running', 'paused')
    ), released as (
      delete from idempotency_record s
       where s.pending_delivery_id = any (array(select c.id from cancelled c
                                      where c.replayed_from is not null and c.attempt = 1))
         and s.status is null
    )
    select count(*)::int as cancelled,
           count(*) filter (where c.replayed_from is not null and c.attempt = 1)::int as replays,
           (select count(*)::int from closed) as abandoned,
           json_agg(json_build_object('endpointId', c.endpoint_id, 'subjectKey', c.subject_key))
             filter (where c.subject_key is not null and c.due_at < 'infinity') as subjects${rest}
      from cancelled c`;

/** In SQL: endpoint `e` does not take pending delivery `c`. */
const notDeliverable = `(not e.active or e.deleted_at is not null
            or not (c.test or c.event_type = any (e.event_types)))`;

/** Cancels what endpoints no longer take, in the transaction that changes them. */
const cancelStatement: Statement = {
  name: 'pending_delivery_cancel',
  text: cancelStatementText(
    `scanned as (
      select c.id, ${notDeliverable} as unwanted
        from unnest($1::text[]) i (id)
        cross join lateral (select * from endpoint e where e.id = i.id limit 1) e
        cross join lateral (
          select c.id, c.test, c.event_type from pending_delivery c
           where c.endpoint_id = e.id and c.lease_token is null
           order by c.event_id limit $3) c
       limit $3
    ), selected as (
      select c.id from pending_delivery c
       where c.id = any (array(select s.id from scanned s where s.unwanted))
         and c.lease_token is null
       limit $2 for update skip locked
    )`,
    `, (select count(*) >= $3 from scanned s)
             or (select count(*) from scanned s where s.unwanted) > count(*) as "anyLeft"`,
  ),
};

/** Waits for a transaction that records the delivery; what that claims or deletes is not given up. */
const giveUpStatement: Statement = {
  name: 'pending_delivery_give_up',
  text: cancelStatementText(`selected as (
      select c.id from pending_delivery c
       where c.id = $1 and c.account_id = $2 and c.lease_token is null for update
    )`),
};

const pendingStatement: Statement = {
  name: 'pending_delivery_find',
  text: `select true as pending from pending_delivery c where c.id = $1 and c.account_id = $2`,
};

/** Leaves the rest of an endpoint to the cancellation backlog, by the time of the change. */
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
 * Walks the next 500 endpoints that have open pending deliveries, and selects those that no claim
 * takes:
 * - all of an endpoint that is disabled or deleted;
 * - of a live endpoint, those at the front of its queue whose type is no longer subscribed.
 * The walk goes from the last endpoint to the first, so each step meets the endpoint's latest
 * event. The oldest event of a queue that moves was delivered already. Its index entry, and those
 * up to the first open one, stay until the next vacuum.
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
          (select c.id from unnest('{live,replay,recovery,isolated}'::text[]) l (lane)
            cross join lateral (
              select c.id, c.test, c.event_type from pending_delivery c
               where e.live and c.ready and c.lease_token is null
                 and c.lane = l.lane and c.account_id = e.account_id
                 and c.endpoint_id = w.endpoint_id
               order by c.due_at limit 100) c
            where not (c.test or c.event_type = any (e.event_types)))) c
       limit $2
    ), selected as (
      select c.id from pending_delivery c
       where c.id = any (array(select f.id from found f)) and c.lease_token is null
         for update skip locked
    )`,
    `, (select w.endpoint_id from walk w where w.step = 500) as next`,
  ),
};

/**
 * In SQL: an endpoint has a cancellation backlog. As {@link nextStatement}, it compares a minimum, for
 * planners without statistics.
 */
export const hasCancellationBacklog = `(
    select min(e.id || '') from endpoint e where e.cancelling_since is not null) is not null`;

/**
 * Takes the minimum of an expression that no index covers. With `order by id limit 1`, a planner
 * without statistics would walk all endpoints.
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
 * Selects the next window of an endpoint's pending deliveries, by event id, and returns where it
 * ends.
 */
const windowStatement: Statement = {
  name: 'pending_delivery_cancel_window',
  text: cancelStatementText(
    `bound as (
      select c.event_id from pending_delivery c where c.endpoint_id = $1 and c.event_id > $2
       order by c.event_id offset $3::int - 1 limit 1
    ), selected as (
      select c.id from endpoint e cross join lateral (
        select c.* from pending_delivery c
         where c.endpoint_id = e.id and c.event_id > $2
           and c.event_id <= coalesce((select b.event_id from bound b), '~')) c
       where e.id = $1
         and (c.created_at <= e.cancel_before or ${notDeliverable}
           or not c.test and c.created_at <= (e.cancel_types ->> c.event_type)::timestamptz)
    )`,
    `, (select b.event_id from bound b) as next`,
  ),
};

/** Ends the backlog of an endpoint, unless a later change has enqueued it again. */
const doneStatement: Statement = {
  name: 'pending_delivery_cancel_done',
  text: `
    update endpoint set cancelling_since = null, cancel_before = null, cancel_types = null
     where id = $1 and cancelling_since = $2`,
};
