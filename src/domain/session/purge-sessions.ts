import type { Statement, Tx } from '../tx.js';
import { maxDays } from './find-session.js';

const purges = (
  table: 'session' | 'operator_session' | 'sign_in_link',
  age: string,
): Statement => ({
  name: `${table}_purge`,
  text: `
    delete from ${table} where id = any (array(
      select p.id from ${table} p where p.created_at <= now() - interval '${age}'
       order by p.created_at limit $1 for update skip locked))
    returning id`,
});

const purgeSessionsStatement = purges('session', `${maxDays} days`);
const purgeOperatorSessionsStatement = purges('operator_session', `${maxDays} days`);
/** Kept longer than they open a session, because they limit the mails to an address. */
const purgeLinksStatement = purges('sign_in_link', '1 hour');

/**
 * Deletes at most `limit` sessions older than 7 days.
 * @returns how many it deleted
 */
export async function purgeSessions(tx: Tx, limit: number): Promise<number> {
  return (await tx.sql(purgeSessionsStatement, [limit])).length;
}

/**
 * Deletes at most `limit` sessions of operators older than 7 days.
 * @returns how many it deleted
 */
export async function purgeOperatorSessions(tx: Tx, limit: number): Promise<number> {
  return (await tx.sql(purgeOperatorSessionsStatement, [limit])).length;
}

/**
 * Deletes at most `limit` sign-in links older than an hour.
 * @returns how many it deleted
 */
export async function purgeLinks(tx: Tx, limit: number): Promise<number> {
  return (await tx.sql(purgeLinksStatement, [limit])).length;
}
