import { singleRow } from '../rows.js';
import type { Read, Statement } from '../tx.js';

/** Notices that were not sent, for operators. Counts stop at {@link countLimit}. */
export interface NoticeBacklog {
  readonly pending: number;
  /** The mail server permanently refused the recipient, or the offer ended before its mail was sent. */
  readonly refused: number;
  /** Age of the oldest pending notice, in seconds; 0 when none is pending. */
  readonly oldestPendingSeconds: number;
}

/** Keeps the statement cheap; an operator needs no larger number. */
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

/** Reads the {@link NoticeBacklog} in one statement, which stays cheap when the backlog is long. */
export function readNoticeBacklog(read: Read): Promise<NoticeBacklog> {
  return singleRow<NoticeBacklog>(read, backlogStatement, [countLimit]);
}
