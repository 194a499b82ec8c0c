import type { Statement, Tx } from '../tx.js';

/** Links work for at most 7 days, and so do sessions. */
const purges = (table: 'portal_session' | 'portal_link'): Statement => ({
  name: `${table}_purge`,
  text: `
    delete from ${table} where id = any (array(
      select p.id from ${table} p where p.created_at <= now() - interval '7 days'
       order by p.created_at limit $1 for update skip locked))
    returning id`,
});

const sessionsStatement = purges('portal_session');
const linksStatement = purges('portal_link');

/**
 * Deletes at most `limit` portal sessions older than 7 days.
 * @returns how many it deleted
 */
export async function purgePortalSessions(tx: Tx, limit: number): Promise<number> {
  return (await tx.sql(sessionsStatement, [limit])).length;
}

/**
 * Deletes at most `limit` portal links older than 7 days.
 * @returns how many it deleted
 */
export async function purgePortalLinks(tx: Tx, limit: number): Promise<number> {
  return (await tx.sql(linksStatement, [limit])).length;
}
