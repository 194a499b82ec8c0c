import type { Read, Statement } from '../tx.js';

/** Notices that are not sent, for operators. Counts stop at {@link countLimit}. */
export interface NoticeBacklog {
  readonly pending: number;
  /** Their recipients were refused for good, or what they tell was over before they were sent. */
  readonly refused: number;
  /** Age of the oldest that is pending, in seconds; 0 when none is. */
  readonly oldestPendingSeconds: number;
}

/** Counting further would cost more than it tells. */
const countLimit = 10_000;

const backlogStatement: Statement = {
  name: 'notice_backlog',
  text: `
    select count(*)::int as pending,
           (select count(*)::int from (
              select from notice n where n.refused_at is not null limit $1) r) as refused,
           greatest(0, coalesce(extract(epoch from now() - min(o.created_at)), 0))::float8
             as "oldestPendingSeconds"
      from (select n.created_at from notice n
             where n.sent_at is null and n.refused_at is null limit $1) o`,
};

/** Reads the {@link NoticeBacklog} in one statement that stays cheap however long it is. */
export async function readNoticeBacklog(read: Read): Promise<NoticeBacklog> {
  const [row] = await read.sql<NoticeBacklog>(backlogStatement, [countLimit]);
  return row ?? { pending: 0, refused: 0, oldestPendingSeconds: 0 };
}
