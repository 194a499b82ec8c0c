import type { Read, Statement } from '../tx.js';
import { type Ages, claimable, awaitedSince, secondsSince } from './ages.js';
import type { Lane } from './claim.js';

/**
 * What waits in one lane, of all accounts. Each count is at most {@link laneCountLimit}. Ages are those
 * of this lane, also if it is that of isolated or recovered ones.
 */
export interface LaneBacklog extends Ages {
  readonly lane: Lane;
  /** Due and not claimed. */
  readonly ready: number;
  /** Claimed by a running process, or by a dead one whose lease has not ended. */
  readonly claimed: number;
  /** False when the lane has more than were counted. */
  readonly complete: boolean;
}

/** A higher count costs more than it helps. */
const laneCountLimit = 25_000;

/** Probes each of the first 2,500 endpoints of a lane with ready pending deliveries once. */
const lanesStatement: Statement = {
  name: 'lane_backlogs',
  text: `
    with recursive lanes (lane, place) as (
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
     order by l.place`,
};

/** Reads every {@link LaneBacklog} in one statement. Its cost is bounded, however long they are. */
export function readLaneBacklogs(read: Pick<Read, 'sql'>): Promise<LaneBacklog[]> {
  return read.sql<LaneBacklog>(lanesStatement, [laneCountLimit]);
}
