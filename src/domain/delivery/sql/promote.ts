import type { Read, Statement } from '../../tx.js';
import { replayChannel } from './notify-replays.js';

/** Waiting pending deliveries that one call makes ready at most. */
const promoteBatch = 1_000;
/** Leases that one call ends at most: each is what one process claimed at once. */
const leaseBatch = 10;

/** Of the longest `WEBHOOKS_TIMEOUT`. What ends later was written before PostgreSQL's clock was set back. */
const longestLease = `interval '2 minutes'`;

/** So many claims of a pending delivery that ended without a result, in a row, make it run alone. */
export const interruptionsBeforeIsolation = 3;
/** So many more, each of them alone in its process, and the pending delivery is dead-lettered. */
const interruptionsInIsolation = 3;

/** What became of pending deliveries whose time had come. */
export interface Promoted {
  /** How many became ready, by lane. */
  readonly live: number;
  readonly replays: number;
  readonly isolated: number;
  /** How many had been claimed by somebody who never settled. */
  readonly interrupted: number;
  /** The pending deliveries that no worker claims any more, by id. */
  readonly deadLettered: readonly string[];
  /** There may be more. */
  readonly full: boolean;
}

/** Why a pending delivery was dead-lettered, for operators. */
const deadLetterReason = `its claim ended without a result, ${interruptionsInIsolation} times while nothing else was sent`;

/** Interruptions in a row, with the one that is being noticed. */
const counted = 'c.interruptions + 1';

/**
 * A claim ends with its lease, unless somebody is settling it at this moment: then the lease stays
 * for the next call, and nobody waits for anybody. A settlement begins the count anew. Whoever is
 * claimed in the lane `isolated` is alone in its process, so an interruption there is no neighbour's
 * doing. A replay that is dead-lettered before its first attempt gives its idempotency key back, and its
 * waiter is told (H76.6). Waiting pending deliveries with a token were claimed by a version that wrote no leases.
 * A lease that ends later than any can is cut to the longest.
 */
const promoteStatement: Statement = {
  name: 'pending_delivery_promote',
  text: `
    with waiting as (
      select c.id from pending_delivery c
       where not c.ready and c.dead_letter_reason is null and c.due_at <= now()
       order by c.due_at limit $1 for update skip locked
    ), promoted as (
      update pending_delivery c set ready = true, lease_token = null
       where c.id = any (array(select w.id from waiting w))
      returning c.lane
    ), cut as (
      update lease l set until = now() + ${longestLease}
       where l.token = any (array(
         select f.token from lease f where f.until > now() + ${longestLease}
          order by f.until limit $1 for update skip locked))
    ), ended as (
      select l.token, l.pending_delivery_ids from lease l
       where l.until <= now() order by l.until limit $2 for update skip locked
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
             interruptions = ${counted},
             lane = case when ${counted} >= $3 then 'isolated' else c.lane end,
             ready = ${counted} < $4,
             dead_letter_reason = case when ${counted} >= $4 then $5 end,
             due_at = case when ${counted} >= $4 then now() else c.due_at end
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
    )
    select count(*) filter (where r.lane = 'live')::int as live,
           count(*) filter (where r.lane = 'replay')::int as replays,
           count(*) filter (where r.lane = 'isolated')::int as isolated,
           (select count(*)::int from released g) as interrupted,
           (select coalesce(array_agg(g.id), '{}') from released g where not g.ready) as "deadLettered",
           (select count(*) from promoted p) >= $1 or (select count(*) from deleted f) >= greatest($2, 1)
             as full
      from (select p.lane from promoted p
             union all
            select g.lane from released g where g.ready) r`,
};

/**
 * Makes pending deliveries ready whose due time has come, and gives back those whose claim ended with its lease:
 * they keep their places in the queue. Those that were interrupted again and again run alone, and
 * are dead-lettered in the end. At most {@link promoteBatch} and {@link leaseBatch} leases at once.
 * @param endLeases false leaves ended leases alone: processes that live may not have extended them yet
 */
export async function promoteDue(read: Read, endLeases = true): Promise<Promoted> {
  const [promoted] = await read.sql<Promoted>(promoteStatement, [
    promoteBatch,
    endLeases ? leaseBatch : 0,
    interruptionsBeforeIsolation,
    interruptionsBeforeIsolation + interruptionsInIsolation,
    deadLetterReason,
  ]);
  return promoted ?? nothing;
}

const nothing: Promoted = {
  ...{ live: 0, replays: 0, isolated: 0, interrupted: 0 },
  ...{ deadLettered: [], full: false },
};
