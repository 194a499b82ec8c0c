import type { Statement, Tx } from '../tx.js';

const purges = (instant: 'sent_at' | 'refused_at'): Statement => ({
  name: `notice_purge_${instant}`,
  text: `
    delete from notice where id = any (array(
      select n.id from notice n where n.${instant} <= now() - interval '40 days'
       order by n.${instant} limit $1 for update skip locked))
    returning id`,
});

const purgeSentStatement = purges('sent_at');
const purgeRefusedStatement = purges('refused_at');

/**
 * Deletes notices that were sent or refused more than 40 days ago, at most `limit` of each, because
 * nothing needs their addresses any longer.
 * @returns how many it deleted
 */
export async function purgeNotices(tx: Tx, limit: number): Promise<number> {
  const sent = await tx.sql(purgeSentStatement, [limit]);
  const refused = await tx.sql(purgeRefusedStatement, [limit]);
  return sent.length + refused.length;
}
