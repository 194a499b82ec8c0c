import { singleRow } from '../rows.js';
import type { Read, Statement } from '../tx.js';

/** For how long deliveries of one account have been due. Claimed ones do not count. */
export interface AccountLag {
  /**
   * Age in seconds of the oldest due pending delivery that nothing holds up; 0 when there is none.
   * Excludes the same as `oldestDueSeconds` of the backlog.
   */
  readonly oldestDueSeconds: number;
  /** The same age without those exclusions. */
  readonly oldestBacklogSeconds: number;
}

/** Selects what workers may claim. */
const free = 'c.ready and c.lease_token is null';

/**
 * Probes each of the account's first 1,000 endpoints with ready pending deliveries once, in each
 * lane. Joins endpoints laterally, as the backlog does.
 */
const lagStatement: Statement = {
  name: 'account_lag',
  text: `
    with recursive walk (lane, endpoint_id, due_at, step) as (
      select l.lane, f.endpoint_id, f.due_at, 1
        from unnest('{live,replay,recovery,isolated}'::text[]) l (lane) cross join lateral (
          select c.endpoint_id, c.due_at from pending_delivery c
           where ${free} and c.lane = l.lane and c.account_id = $1
           order by c.endpoint_id, c.due_at limit 1) f
      union all
      select w.lane, n.endpoint_id, n.due_at, w.step + 1 from walk w cross join lateral (
        select c.endpoint_id, c.due_at from pending_delivery c
         where ${free} and c.lane = w.lane and c.account_id = $1 and c.endpoint_id > w.endpoint_id
         order by c.endpoint_id, c.due_at limit 1) n
      where w.step < 1000
    ), first_due as (
      select w.due_at, w.lane not in ('isolated', 'recovery') and coalesce((
               select e.active and e.deleted_at is null and e.cancelling_since is null
                      and e.failing_since is null and e.max_per_second is null
                 from endpoint e where e.id = w.endpoint_id limit 1), false) as awaited
        from walk w
    )
    select greatest(0, coalesce(extract(epoch from now() - min(f.due_at) filter (where f.awaited)), 0)
           )::float8 as "oldestDueSeconds",
           greatest(0, coalesce(extract(epoch from now() - min(f.due_at)), 0)
           )::float8 as "oldestBacklogSeconds"
      from first_due f`,
};

/** Reads the {@link AccountLag} in one statement. Its cost is bounded, however long the backlog is. */
export function readAccountLag(read: Pick<Read, 'sql'>, account: string): Promise<AccountLag> {
  return singleRow<AccountLag>(read, lagStatement, [account]);
}
