import type { Statement } from '../tx.js';
import type { NoticeData, NoticeKind } from './mail-templates.js';

/**
 * The notice that is due next, of the account after the cursor; a notice that was put into a mail before
 * stands for all of that mail. Each step of the walk is one probe of the index (kind, account_id, due_at), so a
 * long backlog of one account costs the others nothing. With it comes how long its mail is held:
 * for 15 minutes after the last one to the recipient from the same account, unless it is that one; and while the
 * recipient got 20 within an hour, from whichever account.
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
        select n.id, n.account_id, n.mail_id, n.recipient, lower(n.recipient collate "C") as mailbox
          from notice n
         where n.sent_at is null and n.refused_at is null and n.kind = $1
           and n.account_id = w.account_id and n.due_at <= now()
         order by n.due_at limit 1) d
       limit 1
    )
    select coalesce(h.mail_id, h.id) as id, h.mail_id is not null as "isRetry",
           h.account_id as "accountId", h.recipient,
           greatest(
             (select m.claimed_at + interval '1 hour' from notice m
               where m.mail_id = m.id and lower(m.recipient collate "C") = h.mailbox
                 and m.claimed_at > now() - interval '1 hour' and m.id <> coalesce(h.mail_id, h.id)
               order by m.claimed_at desc offset 19 limit 1),
             (select m.claimed_at + interval '15 minutes' from notice m
               where $3 and h.mail_id is null
                 and m.mail_id = m.id and lower(m.recipient collate "C") = h.mailbox
                 and m.claimed_at > now() - interval '15 minutes'
                 and m.account_id = h.account_id and m.kind = $1
               order by m.claimed_at desc limit 1),
             (select now() + interval '15 minutes' from notice m
               where $3 and h.mail_id is null
                 and m.sent_at is null and m.refused_at is null
                 and m.account_id = h.account_id and lower(m.recipient collate "C") = h.mailbox
                 and m.kind = $1 and coalesce(m.mail_id, '') <> ''
               limit 1)) as "postponedUntil"
      from head h`,
};

/** The mail that is due next. */
export interface NextMail {
  /** The notice that the mail is named after. */
  readonly id: string;
  /** Whether the mail was taken to be sent before. */
  readonly isRetry: boolean;
  readonly accountId: string;
  readonly recipient: string;
  readonly postponedUntil: Date | null;
}

/** What a recipient is owed and no mail names yet. */
const pendingCondition = `
  n.sent_at is null and n.refused_at is null and n.account_id = $2
  and lower(n.recipient collate "C") = lower($3::text collate "C")
  and n.kind = $1 and n.mail_id is null`;

const returningClaim = `
  returning n.id, n.account_id as "accountId", n.kind, n.resource_id as "resourceId", n.recipient, n.data,
            n.message_id as "messageId", n.created_at as "createdAt", n.attempts`;

/**
 * Puts the notice `$4`, and `$7` others for its recipient, into a mail that is taken to be sent. Others join it
 * although they are held longer, except what an earlier release has leased; else they would wait for one
 * more mail. The first is found by its id alone: a planner that believes the table empty would read all
 * that is owed instead.
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
       || array(select n.id from notice n where $7::int > 0 and n.id <> $4
                   and (n.lease_token is null or n.due_at <= now()) and ${pendingCondition}
                 order by n.due_at limit $7 for update skip locked))
    ${returningClaim}`,
};

/** Takes a mail again, with the notices that it named before and no others. */
export const claimRetryStatement: Statement = {
  name: 'notice_claim_retry',
  text: `
    update notice n
       set lease_token = $2, due_at = now() + $3::int * interval '1 millisecond',
           claimed_at = case when n.id = n.mail_id then now() end
     where n.mail_id = $1 and n.sent_at is null and n.refused_at is null and n.due_at <= now()
    ${returningClaim}`,
};

/** Holds what a recipient is owed and no mail names yet. */
export const postponeStatement: Statement = {
  name: 'notice_postpone',
  text: `
    update notice n set due_at = $4
     where n.id = any (array(select n.id from notice n where ${pendingCondition} and n.due_at <= now()
                               order by n.due_at limit $5))
    returning n.id`,
};

/** Holds a mail that was taken before. */
export const postponeMailStatement: Statement = {
  name: 'notice_postpone_mail',
  text: `
    update notice n set due_at = $2
     where n.mail_id = $1 and n.sent_at is null and n.refused_at is null and n.due_at <= now()
    returning n.id`,
};

/** A notice that was claimed. */
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
