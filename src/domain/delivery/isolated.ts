import { recordChange } from '../audit/record-change.js';
import type { Lane } from './claim.js';
import type { Statement, Tx } from '../tx.js';

/** At most this many per call. */
export const isolatedBatch = 1_000;

/** Follows the index of ready pending deliveries, and skips the one that is being sent. */
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
 * Returns isolated pending deliveries to their former lane, at most {@link isolatedBatch} per call,
 * and resets their interruptions to 0. For an operator who knows that they crash no process.
 * @returns how many were released
 */
export async function releaseIsolated(tx: Tx): Promise<number> {
  const released = await tx.sql<{ lane: Lane }>(releaseStatement, []);
  if (released.some(({ lane }) => lane === 'live')) tx.wake({ kind: 'due' });
  if (released.some(({ lane }) => lane === 'replay')) tx.wake({ kind: 'replay' });
  const changes = [{ field: 'deliveries', to: String(released.length) }];
  if (released.length > 0) recordChange(tx, { action: 'isolated_deliveries_released', changes });
  return released.length;
}
