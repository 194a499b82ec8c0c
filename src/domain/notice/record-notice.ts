import type { Read, Statement } from '../tx.js';
import type { NoticeClaim } from './claim.js';
import type { NoticeOutcome } from './outcome.js';
import { retryDelayMs } from './backoff.js';

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
 * Records the outcome of a mail for all notices that it names. After a failure they are due again when
 * the backoff ends.
 * @returns false when another process has claimed the mail since; nothing is recorded then
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

/** Makes a mail server's reply storable: PostgreSQL refuses NUL. */
function toStorableText(detail: string): string {
  return detail.replaceAll('\0', '').slice(0, maxDetailLength);
}
