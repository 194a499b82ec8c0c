import { singleRow } from '../rows.js';
import type { Read, Statement } from '../tx.js';
import { type Ages, claimable, awaitedSince, secondsSince } from './ages.js';

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
