import type { Statement, Tx } from '../tx.js';

const purgeStatement: Statement = {
  name: 'publish_key_purge',
  text: `
    delete from publish_key where ctid = any (array(
      select k.ctid from publish_key k where k.expires_at <= now()
       order by k.expires_at limit $1 for update skip locked))
    returning key`,
};

/**
 * Deletes at most `limit` keys of published events that have expired.
 * @returns how many it deleted
 */
export async function purgePublishKeys(tx: Tx, limit: number): Promise<number> {
  return (await tx.sql(purgeStatement, [limit])).length;
}
