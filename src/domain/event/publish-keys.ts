import type { Statement, Tx } from '../tx.js';

const forgetStatement: Statement = {
  name: 'publish_key_forget',
  text: `
    delete from publish_key where ctid = any (array(
      select k.ctid from publish_key k where k.expires_at <= now()
       order by k.expires_at limit $1 for update skip locked))
    returning key`,
};

/**
 * Deletes keys of published events that have expired, at most `limit`.
 * @returns how many were deleted
 */
export async function forgetPublishKeys(tx: Tx, limit: number): Promise<number> {
  return (await tx.sql(forgetStatement, [limit])).length;
}
