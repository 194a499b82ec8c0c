// The life of a notice besides its claim. It is enqueued in the transaction that causes it, recorded after each
// attempt, counted for operators, and deleted 40 days after it was sent or refused.
import { singleRow } from '../transaction/rows.js';
import { type Purge, purgeOf } from '../transaction/sql.js';
import type { Tx, Read, Statement } from '../transaction/tx.js';
import { storedMailbox } from '../values/email.js';
import { makeId } from '../values/id.js';
import type { NoticeClaim } from './claim.js';
import type { NoticeKind, NoticeContent, NoticeOutcome } from './mail.js';
import { Notice } from './notice.entity.js';

/** A notice before it is stored. */
type NewNotice<Kind extends NoticeKind> = NoticeContent<Kind> & {
  readonly accountId: string;
};

/** Stores the notices in the transaction. After its commit, wakes the worker that sends them. */
export async function enqueueNotices<Kind extends NoticeKind>(
  tx: Tx,
  notices: readonly NewNotice<Kind>[],
): Promise<void> {
  if (notices.length === 0) return;

  const host = new URL(tx.rules.baseUrl).hostname;
  const rows = notices.map(({ kind, accountId, resourceId, recipient, data }) => {
    const id = makeId('ntc', tx.now);
    const messageId = `<${id}@${host}>`;
    const createdAt = tx.now;
    const dueAt = tx.now;
    const mailbox = storedMailbox(recipient);
    return {
      id,
      kind,
      accountId,
      resourceId,
      recipient,
      mailbox,
      data,
      messageId,
      createdAt,
      dueAt,
    };
  });

  await tx.manager.insert(Notice, rows);
  tx.wake({ kind: 'notify' });
}

const recordStatement: Statement = {
  name: 'notice_record',
  text: `
    update notice n
       set attempts = n.attempts + 1, lease_token = null, last_error = $4,
           sent_at = case $3 when 'sent' then now() end,
           refused_at = case $3 when 'refused' then now() end,
           due_at = now() + $5::int * interval '1 millisecond'
     where n.id = any ($1::text[]) and n.lease_token = $2
    returning n.id`,
};

const maxDetailLength = 500;

/**
 * Records the outcome of a mail for all notices that it names. After a failure they are due again when the backoff
 * ends.
 * @returns false if another process has claimed the mail meanwhile; then nothing is recorded
 */
export async function recordNotice(
  read: Read,
  claim: NoticeClaim,
  outcome: NoticeOutcome,
): Promise<boolean> {
  const recorded = await read.sql(recordStatement, [
    claim.notices,
    claim.token,
    outcome.kind,
    outcome.kind === 'sent' ? null : toStorableText(outcome.detail),
    outcome.kind === 'failed' ? retryDelayMs(claim.attempts + 1, read.rules.random()) : 0,
  ]);
  return recorded.length > 0;
}

/** Makes the reply of a mail server storable: PostgreSQL rejects NUL. */
function toStorableText(detail: string): string {
  return detail.replaceAll('\0', '').slice(0, maxDetailLength);
}

const firstDelayMs = 5_000;
const maxDelayMs = 86_400_000;
const jitter = 0.1;

/**
 * Returns the delay before the next attempt, in milliseconds. It begins with 5 seconds and doubles with each failed
 * attempt, up to one day, with ±10 % of jitter. There is always a next attempt.
 * @param attempts how many attempts have failed, at least 1
 * @param random at least 0, below 1
 */
export function retryDelayMs(attempts: number, random: number): number {
  const delayMs = Math.min(firstDelayMs * 2 ** (attempts - 1), maxDelayMs);
  return Math.round(delayMs * (1 + jitter * (2 * random - 1)));
}

/** In SQL: whether some notice is not sent yet. */
export const unsentNotices = `exists (
           select from notice n where n.sent_at is null and n.refused_at is null)`;

const unsentStatement: Statement = {
  name: 'notice_any_unsent',
  text: `select ${unsentNotices} as "anyUnsent"`,
};

/** Whether a notice may be due. This takes one round trip, and claiming nothing takes several. */
export async function hasUnsentNotices(read: Read): Promise<boolean> {
  return (await singleRow<{ anyUnsent: boolean }>(read, unsentStatement)).anyUnsent;
}

/** Counts of unsent notices, for operators. They stop at {@link countLimit}. */
export interface NoticeBacklog {
  readonly pending: number;
  /** The mail server permanently rejected the recipient, or the mail was no longer relevant. */
  readonly refused: number;
  /** Age of the oldest pending notice, in seconds; 0 when none is pending. */
  readonly oldestPendingSeconds: number;
}

/** Bounds the cost of the statement. Operators need no larger number. */
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

/** Reads the {@link NoticeBacklog} in one statement of bounded cost. */
export function readNoticeBacklog(read: Read): Promise<NoticeBacklog> {
  return singleRow<NoticeBacklog>(read, backlogStatement, [countLimit]);
}

const purgeSent = purgeOf('notice', 'sent_at', '40 days');
const purgeRefused = purgeOf('notice', 'refused_at', '40 days');

/** Deletes notices, with their addresses, that were sent or refused more than 40 days ago: at most `limit` of each. */
export const purgeNotices: Purge = async (tx, limit) =>
  (await purgeSent(tx, limit)) + (await purgeRefused(tx, limit));
