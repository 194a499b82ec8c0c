import { purgeBy } from '../purge.js';

/**
 * Purges at most `limit` endpoints that their account deleted more than 60 days ago, and that no
 * row refers to.
 */
export const purgeEndpoints = purgeBy({
  // After 60 days the last delivery records are gone: their partitions are dropped after 47 days at
  // most.
  name: 'endpoint_purge',
  text: `
    with purged as (
      delete from endpoint where id = any (array(
        select e.id from endpoint e
         where e.deleted_at <= now() - interval '60 days' and e.cancelling_since is null
           and (select true from pending_delivery c where c.endpoint_id = e.id limit 1) is null
           and (select true from endpoint_secret s where s.endpoint_id = e.id limit 1) is null
         order by e.deleted_at limit $1 for update skip locked))
      returning id
    ), rates as (
      delete from endpoint_rate where endpoint_id = any (array(select p.id from purged p))
    )
    select id from purged`,
});
