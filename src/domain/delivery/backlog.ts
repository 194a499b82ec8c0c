import { singleRow } from '../rows.js';
import type { Read, Statement } from '../tx.js';
import { type Ages, claimable, awaitedSince, secondsSince } from './ages.js';

/**
 * Counts and ages of open pending deliveries, for operators. Each count is at most
 * {@link countLimit}.
 */
export interface Backlog extends Ages {
  /** Due and not claimed. */
  readonly ready: number;
  /** Claimed by a running process, or by a dead one whose lease has not ended. */
  readonly claimed: number;
  /** Waiting for their next attempt. */
  readonly waiting: number;
  /** Due in the lane `isolated`. Also counted in `ready` or `claimed`. */
  readonly isolated: number;
  /** No worker claims these until an operator releases them. */
  readonly deadLettered: number;
}

/** A higher count costs more than it helps. */
const countLimit = 100_000;

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
        where not c.ready and c.dead_letter_reason is null order by c.due_at limit 1)
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
