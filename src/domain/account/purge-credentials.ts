import { purgeBy } from '../purge.js';

/**
 * Deletes at most `limit` credentials that expired more than 40 days ago, and the members that were made
 * for them alone. Only dashboard tokens expire.
 */
export const purgeCredentials = purgeBy({
  name: 'credential_purge',
  text: `
    with gone as (
      delete from credential where ctid = any (array(
        select c.ctid from credential c
         where c.expires_at <= now() - interval '40 days'
         order by c.expires_at limit $1 for update skip locked))
      returning id, member_id
    ), holders as (
      delete from member m
       where m.id = any (array(select g.member_id from gone g)) and not m.is_person
         and (select true from credential c
               where c.member_id = m.id and c.id <> all (array(select g.id from gone g))
               limit 1) is null
    )
    select id from gone`,
});
