import type { Lane } from './claim.js';
import type { Statement, Tx } from '../tx.js';

/** How many one call puts back at most. */
export const isolatedBatch = 1_000;

/** In the order of the index of what is ready; the one that is being sent at this moment stays. */
const releaseStatement: Statement = {
  name: 'isolated_release',
  text: `
    with picked as (
      select c.id from pending_delivery c
       where c.ready and c.lease_token is null and c.lane = 'isolated'
       order by c.lane, c.account_id, c.endpoint_id, c.due_at limit ${isolatedBatch} for update skip locked
    )
    update pending_delivery c
       set interruptions = 0,
           lane = case when c.replayed_from is not null and c.attempt = 1 then 'replay'
                       else 'live' end
     where c.id = any (array(select p.id from picked p))
    returning c.lane`,
};

/**
 * Puts isolated deliveries back into the lane that they came from, at most {@link isolatedBatch} at once,
 * for an operator who knows that they end no process. Their interruptions count from 0 again.
 * @returns how many were put back
 */
export async function releaseIsolated(tx: Tx): Promise<number> {
  const released = await tx.sql<{ lane: Lane }>(releaseStatement, []);
  if (released.some(({ lane }) => lane === 'live')) tx.wake({ kind: 'due' });
  if (released.some(({ lane }) => lane === 'replay')) tx.wake({ kind: 'replay' });
  return released.length;
}
