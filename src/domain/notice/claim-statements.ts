import { mailboxIn } from '../email.js';
import type { Statement } from '../tx.js';
import type { NoticeData, NoticeKind } from './mail-templates.js';

/**
 * Selects the notice that is due next, of the next account after the cursor. A notice that is in a mail
 * already stands for that whole mail. Each step of the walk is one probe of the index (kind, account_id,
 * due_at), so the long backlog of one account costs the others nothing.
 *
 * `postponedUntil` says how long its mail must wait:
 * - until 15 minutes after the account's last mail of the kind to this recipient, unless it is that mail;
 * - 15 minutes at a time while such a mail was claimed but not sent yet, unless it is that mail;
 * - while the recipient has got 20 mails within an hour, from any account. Mails to sign in have limits of their
 *   own: strangers ask for them, and they neither delay other mails nor wait for them.
 */
export const nextStatement: Statement = {
  name: 'notice_next',
  text: `
    with recursive walk (account_id, wrapped) as (
      select n.account_id, n.wrapped from (
        (select n.account_id, false as wrapped from notice n
          where n.sent_at is null and n.refused_at is null and n.kind = $1 and n.account_id > $2
          order by n.account_id limit 1)
        union all
        (select n.account_id, true from notice n
          where n.sent_at is null and n.refused_at is null and n.kind = $1
          order by n.account_id limit 1)
        limit 1) n
      union all
      select n.account_id, n.wrapped from walk w cross join lateral (
        (select n.account_id, w.wrapped from notice n
          where n.sent_at is null and n.refused_at is null and n.kind = $1
            and n.account_id > w.account_id
          order by n.account_id limit 1)
        union all
        (select n.account_id, true from notice n
          where n.sent_at is null and n.refused_at is null and n.kind = $1 and not w.wrapped
          order by n.account_id limit 1)
        limit 1) n
      where not n.wrapped or n.account_id <= $2
    ), head as (
      select d.* from walk w cross join lateral (
        select n.id, n.account_id, n.mail_id, ${mailboxIn('recipient', 'n.')} as mailbox
          from notice n
         where n.sent_at is null and n.refused_at is null and n.kind = $1
           and n.account_id = w.account_id and n.due_at <= now()
         order by n.due_at limit 1) d
       limit 1
    )
    select coalesce(h.mail_id, h.id) as id, h.mail_id is not null as "isRetry",
           h.account_id as "accountId", h.mailbox,
           greatest(
             (select m.claimed_at + interval '1 hour' from notice m
               where $1 <> 'sign_in_link' and m.kind <> 'sign_in_link'
                 and m.mail_id = m.id and ${mailboxIn('recipient', 'm.')} = h.mailbox
                 and m.claimed_at > now() - interval '1 hour' and m.id <> coalesce(h.mail_id, h.id)
               order by m.claimed_at desc offset 19 limit 1),
             (select m.claimed_at + interval '15 minutes' from notice m
               where $3 and h.mail_id is null
                 and m.mail_id = m.id and ${mailboxIn('recipient', 'm.')} = h.mailbox
                 and m.claimed_at > now() - interval '15 minutes'
                 and m.account_id = h.account_id and m.kind = $1
               order by m.claimed_at desc limit 1),
             (select now() + interval '15 minutes' from notice m
               where $3 and h.mail_id is null
                 and m.sent_at is null and m.refused_at is null
                 and m.account_id = h.account_id and ${mailboxIn('recipient', 'm.')} = h.mailbox
                 and m.kind = $1 and coalesce(m.mail_id, '') <> ''
               limit 1)) as "postponedUntil"
      from head h`,
};

/** The mail that is due next. */
export interface NextMail {
  /** The first notice of the mail, whose id is the mail's. */
  readonly id: string;
  /** Whether the mail was claimed before. */
  readonly isRetry: boolean;
  readonly accountId: string;
  /** The form in which its recipient is compared. */
  readonly mailbox: string;
  readonly postponedUntil: Date | null;
}

/** A recipient's pending notices that no mail names yet. */
const pendingCondition = `
  n.sent_at is null and n.refused_at is null and n.account_id = $2
  and ${mailboxIn('recipient', 'n.')} = $3
  and n.kind = $1 and n.mail_id is null`;

const returningClaim = `
  returning n.id, n.account_id as "accountId", n.kind, n.resource_id as "resourceId", n.recipient, n.data,
            n.message_id as "messageId", n.created_at as "createdAt", n.attempts`;

/**
 * Puts the notice `$4`, and at most `$7` others for its recipient, into a new mail and claims it. Postponed
 * notices join it early, or they would wait for one more mail. The first notice is found by its id alone: a
 * planner that believes the table empty would otherwise read all pending notices.
 */
export const claimMailStatement: Statement = {
  name: 'notice_claim_mail',
  text: `
    update notice n
       set mail_id = $4, lease_token = $5, due_at = now() + $6::int * interval '1 millisecond',
           claimed_at = case when n.id = $4 then now() end
     where n.id = any (
       array(select n.id from notice n
              where n.id = $4 and n.mail_id is null and coalesce(n.sent_at, n.refused_at) is null
                and n.due_at + interval '0' <= now() for update skip locked)
       || array(select n.id from notice n where $7::int > 0 and n.id <> $4 and ${pendingCondition}
                 order by n.due_at limit $7 for update skip locked))
    ${returningClaim}`,
};

/** Claims a mail again, with exactly the notices that it named before. */
export const claimRetryStatement: Statement = {
  name: 'notice_claim_retry',
  text: `
    update notice n
       set lease_token = $2, due_at = now() + $3::int * interval '1 millisecond',
           claimed_at = case when n.id = n.mail_id then now() end
     where n.mail_id = $1 and n.sent_at is null and n.refused_at is null and n.due_at <= now()
    ${returningClaim}`,
};

/** Postpones a recipient's pending notices that no mail names yet. */
export const postponeStatement: Statement = {
  name: 'notice_postpone',
  text: `
    update notice n set due_at = $4
     where n.id = any (array(select n.id from notice n where ${pendingCondition} and n.due_at <= now()
                               order by n.due_at limit $5))
    returning n.id`,
};

/** Postpones a mail that was claimed before. */
export const postponeMailStatement: Statement = {
  name: 'notice_postpone_mail',
  text: `
    update notice n set due_at = $2
     where n.mail_id = $1 and n.sent_at is null and n.refused_at is null and n.due_at <= now()
    returning n.id`,
};

/** A claimed notice. */
export interface ClaimedRow {
  readonly id: string;
  readonly accountId: string;
  readonly kind: NoticeKind;
  readonly resourceId: string;
  readonly recipient: string;
  readonly data: NoticeData[NoticeKind];
  readonly messageId: string;
  readonly createdAt: Date;
  readonly attempts: number;
}
