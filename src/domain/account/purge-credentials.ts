import type { Statement, Tx } from '../tx.js';

// A credential made without a member got one of its own, at an address that can be nobody's.
const purgeStatement: Statement = {
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
       where m.id = any (array(select g.member_id from gone g)) and m.email like '%@acc-%.invalid'
         and (select true from credential c
               where c.member_id = m.id and c.id <> all (array(select g.id from gone g))
               limit 1) is null
    )
    select id from gone`,
};

/**
 * Deletes credentials that expired more than 40 days ago, which only dashboard tokens do, at most
 * `limit`, and with them the members that were made for them alone.
 * @returns how many credentials were deleted
 */
export async function purgeCredentials(tx: Tx, limit: number): Promise<number> {
  return (await tx.sql(purgeStatement, [limit])).length;
}
