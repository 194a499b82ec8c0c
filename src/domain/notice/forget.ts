import type { Statement, Tx } from '../tx.js';

const forgetStatement: Statement = {
  name: 'notice_forget',
  text: `
    delete from notice where id in (
      select n.id from notice n where n.sent_at <= now() - interval '40 days'
       order by n.sent_at limit $1 for update skip locked)
    returning id`,
};

/**
 * Deletes notices that were sent more than 40 days ago, at most `limit`; their addresses are nobody's
 * business by then.
 * @returns how many were deleted
 */
export async function forgetNotices(tx: Tx, limit: number): Promise<number> {
  return (await tx.sql(forgetStatement, [limit])).length;
}
