import type { Read, Statement } from '../tx.js';
import type { NoticeClaim } from './claim.js';
import type { NoticeOutcome } from './outcome.js';
import { pauseAfter } from './pause-after.js';

const settleStatement: Statement = {
  name: 'notice_settle',
  text: `
    update notice n
       set attempts = n.attempts + 1, lease_token = null, last_error = $4,
           sent_at = case $3 when 'sent' then now() end,
           refused_at = case $3 when 'refused' then now() end,
           due_at = now() + $5::int * interval '1 millisecond'
     where n.id = any ($1::text[]) and n.lease_token = $2
    returning n.id`,
};

const longestDetail = 500;

/**
 * Records what sending a mail ended with, for all notices that it names; they are due again after a pause
 * when it failed.
 * @returns false when somebody else has claimed it since, and nothing was recorded
 */
export async function settleNotice(
  read: Read,
  claim: NoticeClaim,
  outcome: NoticeOutcome,
): Promise<boolean> {
  const settled = await read.sql(settleStatement, [
    claim.notices,
    claim.token,
    outcome.kind,
    outcome.kind === 'sent' ? null : storable(outcome.detail),
    outcome.kind === 'failed' ? pauseAfter(claim.attempts + 1, read.rules.random()) : 0,
  ]);
  return settled.length > 0;
}

/** What a mail server said, as PostgreSQL can hold it. */
function storable(detail: string): string {
  return detail.replaceAll('\0', '').slice(0, longestDetail);
}
