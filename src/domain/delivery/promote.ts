// Makes due pending deliveries ready, ends expired leases, and dead-letters what cannot be delivered.
//
// One statement, which each poll of a worker runs, does three things: it makes pending deliveries ready whose
// next attempt is due; it releases the claims of leases that have ended, and counts them as interrupted; it
// writes the heartbeat of the worker. After three interruptions in a row a pending delivery is isolated, after
// three more it is dead-lettered.
//
// Invariants: the statement skips pending deliveries and leases that are locked, so it never waits for a
// process that records or extends; a lease is deleted only when no pending delivery carries its token. A crash
// leaves nothing half done: the next poll, of any worker, does the rest.
import { singleRow } from '../transaction/rows.js';
import type { Read, Statement } from '../transaction/tx.js';
import { type WorkerIdentity, writeHeartbeat } from '../worker/heartbeats.js';
import { replayChannel } from './replay.js';

/** One call makes at most this many waiting pending deliveries ready. */
const promoteBatch = 1_000;
/** One call ends at most this many leases. A lease covers what one process claimed at once. */
const leaseBatch = 10;

/**
 * No lease is longer, even with the largest `WEBHOOKS_TIMEOUT`. A lease that ends later was written
 * before PostgreSQL's clock was set back.
 */
const maxLease = `interval '2 minutes'`;

/** After this many claims in a row without a result, a pending delivery is isolated. */
export const interruptionsBeforeIsolation = 3;
/** After this many more, all of them in isolation, it is dead-lettered. */
const interruptionsInIsolation = 3;

/** What one call of {@link promoteDue} did. */
export interface Promoted {
  /** How many became ready, by lane. */
  readonly live: number;
  readonly replays: number;
  readonly isolated: number;
  /** How many were interrupted: their claims ended without a result. */
  readonly interrupted: number;
  /** Ids of the pending deliveries that became dead letters. */
  readonly deadLettered: readonly string[];
  /** Whether there may be more to promote. */
  readonly full: boolean;
  /** PostgreSQL's time when the statement began, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** Why a pending delivery was dead-lettered, for operators. */
const interruptionsReason = `its claims ended without a result, ${interruptionsInIsolation} times in isolation`;

/** In SQL: the interruptions of `c` in a row, including the one that is counted now. */
const countedInterruptions = 'c.interruptions + 1';

/**
 * In SQL: promotes. Its parts:
 * - `waiting` finds due pending deliveries, and `promoted` makes them ready. One that still has a token was
 *   claimed by a version that wrote no leases.
 * - `cut` shortens leases that end later than any can.
 * - `ended` finds leases that have ended. One that ended after $9 stays: PostgreSQL may have paused while the
 *   statement waited for it, and processes that live could not extend their leases then.
 * - `held` finds what those leases still cover, and `lost` locks it. If a result is being recorded right now, its
 *   row and its lease stay for the next call, so neither waits for the other.
 * - `released` takes the tokens and counts the interruptions; a recorded result resets that count. An interruption
 *   in the lane `isolated` cannot be caused by another delivery of the process.
 * - `deleted` deletes the leases that cover nothing any more.
 * - `freed` releases the idempotency key of a replay that is dead-lettered before its first attempt, and notifies
 *   its waiter.
 * - `alive` writes the heartbeat of the worker.
 * @param columns further columns of the result, with a comma before each
 */
export const promoteText = (columns = ''): string => `
    with waiting as (
      select c.id from pending_delivery c
       where not c.ready and c.dead_letter_reason is null and c.due_at <= now()
       order by c.due_at limit $1 for update skip locked
    ), promoted as (
      update pending_delivery c set ready = true, lease_token = null
       where c.id = any (array(select w.id from waiting w))
      returning c.lane
    ), cut as (
      update lease l set until = now() + ${maxLease}
       where l.token = any (array(
         select f.token from lease f where f.until > now() + ${maxLease}
          order by f.until limit $1 for update skip locked))
    ), ended as (
      select l.token, l.pending_delivery_ids from lease l
       where l.until <= least(now(), to_timestamp($9::float8 / 1000))
       order by l.until limit $2 for update skip locked
    ), held as (
      select c.id, e.token from ended e cross join lateral (
        select c.id from pending_delivery c where c.id = any (e.pending_delivery_ids) and c.lease_token = e.token) c
    ), lost as (
      select c.id, h.token from held h cross join lateral (
        select c.id from pending_delivery c where c.id = h.id and c.lease_token = h.token
           for update skip locked) c
    ), released as (
      update pending_delivery c
         set lease_token = null,
             interruptions = ${countedInterruptions},
             lane = case when ${countedInterruptions} >= $3 then 'isolated' else c.lane end,
             ready = ${countedInterruptions} < $4,
             dead_letter_reason = case when ${countedInterruptions} >= $4 then $5 end,
             due_at = case when ${countedInterruptions} >= $4 then now() else c.due_at end
       where c.id = any (array(select l.id from lost l))
      returning c.id, c.lane, c.ready, c.replayed_from, c.attempt
    ), deleted as (
      delete from lease l
       where l.token = any (array(
         select e.token from ended e
         except
         select k.token from (select h.id, h.token from held h
                              except select l.id, l.token from lost l) k))
      returning l.token
    ), freed as (
      delete from idempotency_record s
       where s.status is null and s.pending_delivery_id = any (array(
         select g.id from released g
          where not g.ready and g.replayed_from is not null and g.attempt = 1))
      returning pg_notify('${replayChannel}', '')
    ), alive as (${writeHeartbeat('$6', '$7', '$8')}
    )
    select count(*) filter (where r.lane = 'live')::int as live,
           count(*) filter (where r.lane = 'replay')::int as replays,
           count(*) filter (where r.lane = 'isolated')::int as isolated,
           (select count(*)::int from released g) as interrupted,
           (select coalesce(array_agg(g.id), '{}') from released g where not g.ready) as "deadLettered",
           (select count(*) from promoted p) >= $1 or (select count(*) from deleted f) >= $2 as full,
           (extract(epoch from now()) * 1000)::float8 as "nowMs"${columns}
      from (select p.lane from promoted p
             union all
            select g.lane from released g where g.ready) r`;

const promoteStatement: Statement = { name: 'pending_delivery_promote', text: promoteText() };

/**
 * The values of {@link promoteText}.
 * @param endedBy keeps leases that ended later, in milliseconds since 1970 of PostgreSQL's clock:
 *   running processes may have had no chance to extend them
 * @param worker the process that polls; its heartbeat is written
 */
export const promoteValues = (
  endedBy: number,
  worker: WorkerIdentity | undefined,
): readonly unknown[] => [
  promoteBatch,
  leaseBatch,
  interruptionsBeforeIsolation,
  interruptionsBeforeIsolation + interruptionsInIsolation,
  interruptionsReason,
  worker?.id ?? null,
  worker?.roles ?? [],
  worker?.version ?? null,
  endedBy,
];

/**
 * Makes due pending deliveries ready, and releases those whose leases have ended; these keep their places in
 * the queue. Repeated interruptions isolate a pending delivery, and in the end dead-letter it. At most
 * {@link promoteBatch} pending deliveries and {@link leaseBatch} leases per call.
 * @param endedBy see {@link promoteValues}; defaults to all leases that have ended
 * @param worker see {@link promoteValues}
 */
export function promoteDue(
  read: Read,
  endedBy = Infinity,
  worker?: WorkerIdentity,
): Promise<Promoted> {
  return singleRow<Promoted>(read, promoteStatement, promoteValues(endedBy, worker));
}

const retentionReason = 'its event is past retention';

/** Dead-letters claims. `released` frees the keys of their replays, like `freed` of {@link promoteText}. */
const deadLetterStatement: Statement = {
  name: 'dead_letter_orphans',
  text: `
    with dead_lettered as (
      update pending_delivery c
         set ready = false, lease_token = null, dead_letter_reason = $3, due_at = now()
        from unnest($1::text[], $2::bigint[]) i (id, token)
       where c.id = any ($1::text[]) and c.id = i.id and c.lease_token = i.token
      returning c.id, c.replayed_from, c.attempt
    ), released as (
      delete from idempotency_record s
       where s.status is null and s.pending_delivery_id = any (array(
         select p.id from dead_lettered p where p.replayed_from is not null and p.attempt = 1))
      returning pg_notify('${replayChannel}', '')
    )
    select p.id from dead_lettered p`,
};

/** A claimed pending delivery whose event is past retention. */
export interface Orphan {
  readonly pendingDeliveryId: string;
  readonly token: number;
}

/**
 * Dead-letters claimed pending deliveries whose events are past retention: there is nothing left to
 * send.
 * @returns the ids of those that still held their claims
 */
export async function deadLetterOrphans(read: Read, orphans: readonly Orphan[]): Promise<string[]> {
  const deadLettered = await read.sql<{ id: string }>(deadLetterStatement, [
    orphans.map(({ pendingDeliveryId }) => pendingDeliveryId),
    orphans.map(({ token }) => token),
    retentionReason,
  ]);
  return deadLettered.map(({ id }) => id);
}
