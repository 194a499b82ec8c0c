import { singleRow } from '../transaction/rows.js';
import type { Read, Statement } from '../transaction/tx.js';
import type { Lane } from './claim.js';

/**
 * Counts and ages of open pending deliveries, for operators. Each count is at most
 * {@link countLimit}.
 */
export interface Backlog extends Ages {
  /** Due and not claimed. */
  readonly ready: number;
  /** Claimed by a running process, or by a dead one whose lease has not ended. */
  readonly claimed: number;
  /** Waiting for their next attempt, or for the turn of their subject. */
  readonly waiting: number;
  /** Due in the lane `isolated`. Also counted in `ready` or `claimed`. */
  readonly isolated: number;
  /** No worker claims these until an operator releases them. */
  readonly deadLettered: number;
}

/** A higher count costs more than it helps. */
const countLimit = 100_000;

/** In SQL: workers may claim the pending delivery `c`. */
const claimable = 'c.ready and c.lease_token is null';

/**
 * In SQL: since when the first due pending delivery of an endpoint is awaited; null while the endpoint holds
 * it up. Looks the endpoint up in a subquery: the planner could turn a join into a hash of the whole table.
 */
const awaitedSince = (endpoint: string, dueAt: string) => `(
               select greatest(${dueAt}, e.resumed_at)
                 from endpoint e
                where e.id = ${endpoint} and e.active and e.deleted_at is null
                  and e.cancelling_since is null and e.failing_since is null
                  and e.max_per_second is null
                limit 1)`;

/** In SQL: seconds since a time; 0 if it is null or in the future. */
const secondsSince = (time: string) =>
  `greatest(0, coalesce(extract(epoch from now() - ${time}), 0))::float8`;

/**
 * Probes each of the first 10,000 endpoints with ready pending deliveries once, then the oldest
 * waiting one.
 */
const backlogStatement: Statement = {
  name: 'pending_delivery_backlog',
  text: `
    with recursive walk (lane, account_id, endpoint_id, due_at, step) as (
      (select c.lane, c.account_id, c.endpoint_id, c.due_at, 1 from pending_delivery c
        where ${claimable} order by c.lane, c.account_id, c.endpoint_id, c.due_at limit 1)
      union all
      select n.lane, n.account_id, n.endpoint_id, n.due_at, w.step + 1 from walk w cross join lateral (
        select c.lane, c.account_id, c.endpoint_id, c.due_at from pending_delivery c
         where ${claimable}
           and (c.lane, c.account_id, c.endpoint_id) > (w.lane, w.account_id, w.endpoint_id)
         order by c.lane, c.account_id, c.endpoint_id, c.due_at limit 1) n
      where w.step < 10000
    ), first_due as (
      select w.due_at,
             case when w.lane not in ('isolated', 'recovery')
                  then ${awaitedSince('w.endpoint_id', 'w.due_at')} end as awaited_since
        from walk w
      union all
      (select c.due_at, c.due_at from pending_delivery c
        where not c.ready and c.dead_letter_reason is null and c.due_at < 'infinity'
        order by c.due_at limit 1)
    )
    select r.ready, r.claimed,
           (select count(*)::int from (
              select from pending_delivery c where not c.ready and c.dead_letter_reason is null limit $1) w
           ) as waiting,
           (select count(*)::int from (
              select from pending_delivery c where c.ready and c.lane = 'isolated' limit $1) a) as isolated,
           (select count(*)::int from pending_delivery c where c.dead_letter_reason is not null) as "deadLettered",
           (select ${secondsSince('min(f.awaited_since)')} from first_due f) as "oldestDueSeconds",
           (select ${secondsSince('min(f.due_at)')} from first_due f) as "oldestBacklogSeconds"
      from (select count(*) filter (where c.lease_token is null)::int as ready,
                   count(*) filter (where c.lease_token is not null)::int as claimed
              from (select c.lease_token from pending_delivery c where c.ready limit $1) c) r`,
};

/** Reads the {@link Backlog} in one statement. Its cost is bounded, however long the backlog is. */
export function readBacklog(read: Pick<Read, 'sql'>): Promise<Backlog> {
  return singleRow<Backlog>(read, backlogStatement, [countLimit]);
}

/**
 * Counts and ages of the pending deliveries of one lane, over all accounts. Each count is at most
 * {@link laneCountLimit}. The lanes of isolated and of recovered deliveries have ages, too.
 */
export interface LaneBacklog extends Ages {
  readonly lane: Lane;
  /** Due and not claimed. */
  readonly ready: number;
  /** Claimed by a running process, or by a dead one whose lease has not ended. */
  readonly claimed: number;
  /** False when the lane has more deliveries than were counted. */
  readonly complete: boolean;
}

/** A higher count costs more than it helps. */
const laneCountLimit = 25_000;

/** Probes each of the first 2,500 endpoints of a lane with ready pending deliveries once. */
const lanesStatement: Statement = {
  name: 'lane_backlogs',
  text: `
    with recursive lanes (lane, ordinal) as (
      select * from unnest('{live,replay,recovery,isolated}'::text[]) with ordinality
    ), walk (lane, account_id, endpoint_id, due_at, step) as (
      select l.lane, f.account_id, f.endpoint_id, f.due_at, 1
        from lanes l cross join lateral (
          select c.account_id, c.endpoint_id, c.due_at from pending_delivery c
           where ${claimable} and c.lane = l.lane
           order by c.account_id, c.endpoint_id, c.due_at limit 1) f
      union all
      select w.lane, n.account_id, n.endpoint_id, n.due_at, w.step + 1
        from walk w cross join lateral (
          select c.account_id, c.endpoint_id, c.due_at from pending_delivery c
           where ${claimable} and c.lane = w.lane
             and (c.account_id, c.endpoint_id) > (w.account_id, w.endpoint_id)
           order by c.account_id, c.endpoint_id, c.due_at limit 1) n
       where w.step < 2500
    ), ages as (
      select w.lane, min(w.due_at) as oldest, 
             min(${awaitedSince('w.endpoint_id', 'w.due_at')}) as awaited_since
        from walk w group by w.lane
    )
    select l.lane, r.ready, r.claimed, r.ready + r.claimed < $1 as complete,
           ${secondsSince('a.awaited_since')} as "oldestDueSeconds",
           ${secondsSince('a.oldest')} as "oldestBacklogSeconds"
      from lanes l
     cross join lateral (
       select count(*) filter (where c.lease_token is null)::int as ready,
              count(*) filter (where c.lease_token is not null)::int as claimed
         from (select c.lease_token from pending_delivery c
                where c.ready and c.lane = l.lane limit $1) c) r
      left join ages a on a.lane = l.lane
     order by l.ordinal`,
};

/** Reads every {@link LaneBacklog} in one statement. Its cost is bounded, however long they are. */
export function readLaneBacklogs(read: Pick<Read, 'sql'>): Promise<LaneBacklog[]> {
  return read.sql<LaneBacklog>(lanesStatement, [laneCountLimit]);
}

/** Probes each of the account's first 1,000 endpoints with ready pending deliveries once, in each lane. */
const lagStatement: Statement = {
  name: 'account_lag',
  text: `
    with recursive walk (lane, endpoint_id, due_at, step) as (
      select l.lane, f.endpoint_id, f.due_at, 1
        from unnest('{live,replay,recovery,isolated}'::text[]) l (lane) cross join lateral (
          select c.endpoint_id, c.due_at from pending_delivery c
           where ${claimable} and c.lane = l.lane and c.account_id = $1
           order by c.endpoint_id, c.due_at limit 1) f
      union all
      select w.lane, n.endpoint_id, n.due_at, w.step + 1 from walk w cross join lateral (
        select c.endpoint_id, c.due_at from pending_delivery c
         where ${claimable} and c.lane = w.lane and c.account_id = $1 and c.endpoint_id > w.endpoint_id
         order by c.endpoint_id, c.due_at limit 1) n
      where w.step < 1000
    ), first_due as (
      select w.due_at,
             case when w.lane not in ('isolated', 'recovery')
                  then ${awaitedSince('w.endpoint_id', 'w.due_at')} end as awaited_since
        from walk w
    )
    select ${secondsSince('min(f.awaited_since)')} as "oldestDueSeconds",
           ${secondsSince('min(f.due_at)')} as "oldestBacklogSeconds"
      from first_due f`,
};

/** Reads the {@link Ages} of one account in one statement. Its cost is bounded, however long the backlog is. */
export function readAccountLag(read: Pick<Read, 'sql'>, account: string): Promise<Ages> {
  return singleRow<Ages>(read, lagStatement, [account]);
}

/** For how long pending deliveries have been due. Claimed ones do not count. */
export interface Ages {
  /**
   * Age in seconds of the oldest due pending delivery that nothing holds up; 0 when there is none.
   * Excludes pending deliveries of disabled, failing or rate-limited endpoints, isolated and
   * recovered ones. Those that waited for an endpoint which failed or was rate-limited count from the
   * end of that: its own backlog does not make the service late.
   */
  readonly oldestDueSeconds: number;
  /** The same age without those exclusions. */
  readonly oldestBacklogSeconds: number;
}
