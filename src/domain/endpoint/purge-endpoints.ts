import type { Statement, Tx } from '../tx.js';

// Its last delivery records are gone by then: their partitions are dropped after 47 days at most.
const purgeStatement: Statement = {
  name: 'endpoint_purge',
  text: `
    delete from endpoint where id = any (array(
      select e.id from endpoint e
       where e.deleted_at <= now() - interval '60 days' and e.cancelling_since is null
         and (select true from pending_delivery c where c.endpoint_id = e.id limit 1) is null
         and (select true from endpoint_secret s where s.endpoint_id = e.id limit 1) is null
       order by e.deleted_at limit $1 for update skip locked))
    returning id`,
};

/**
 * Deletes endpoints that were deleted by their account more than 60 days ago and of which nothing is
 * left to be done or shown, at most `limit`.
 * @returns how many
 */
export async function purgeEndpoints(tx: Tx, limit: number): Promise<number> {
  return (await tx.sql(purgeStatement, [limit])).length;
}
