// Decides which mail a worker sends next, and claims it.
//
// A notice is one thing to tell one person; a mail combines the due notices of one kind and account to one
// recipient, where the kind allows that. The first claim fixes which notices a mail names, and a retry names exactly
// these, so each notice is in one mail only.
//
// A claim is a lease with a random token. A result is recorded only if the token is still that of the row, so after
// its lease a slow or dead worker changes nothing. A crash between sending and recording sends the mail again, with
// the same Message-ID. Claims run one after the other (an advisory lock), because each counts the mails of the last
// hour: a recipient gets at most 20 of them, and for 15 minutes at most one digest of a kind.
import { randomInt } from 'node:crypto';
import { LockNotAvailable, type Transact, type Tx, type Statement } from '../transaction/tx.js';
import { isUnavailable } from '../transaction/unavailable.js';
import { mailboxIn } from '../values/email.js';
import { type AnyMailContent, type NoticeKind, noticeKinds, type NoticeData } from './mail.js';

/** The right to send one mail until its lease ends, with the content of the mail. */
export type NoticeClaim = AnyMailContent & {
  /** The first notice that the mail names. The mail has its Message-ID, also when it is retried. */
  readonly id: string;
  /** All notices that the mail names. */
  readonly notices: readonly string[];
  /** Fences the result: it is not recorded once another process has claimed the mail. */
  readonly token: number;
  readonly accountId: string;
  readonly messageId: string;
  readonly createdAt: Date;
  /** Attempts that have ended before this one. */
  readonly attempts: number;
};

/** Whether one mail combines all notices of the kind from one account to one recipient. */
const isDigest: Readonly<Record<NoticeKind, boolean>> = {
  sign_in_link: false,
  endpoint_disabled: true,
  endpoint_failing: true,
  endpoint_recovered: true,
  offer_sent: false,
};

/**
 * One mail has at most this many notices, which keeps it below 3 MB. That is ten times the default limit of
 * endpoints per account. The next mail names the others.
 */
const maxNoticesPerMail = 10_000;

/** The advisory lock that lets processes claim one after the other, so that each counts the claims of the others. */
const claimLock = 0x6e6f7469636573n;

/** One call claims or postpones at most this many mails of a kind. */
const maxMailsPerCall = 100;
/** One statement postpones at most this many rows. */
const maxPostponedNotices = 50;

/**
 * Claims mails for one process. It tries the kinds in the order of {@link noticeKinds}, and those whose claim failed
 * last. Within a kind it visits one account after the other, and the next call continues there.
 */
export class NoticeClaimer {
  readonly #leaseMs: number;
  readonly #onError: (error: unknown) => void;
  readonly #cursors = new Map<NoticeKind, string>();
  #kinds: readonly NoticeKind[] = noticeKinds;

  /**
   * @param leaseMs must exceed the time that sending a mail and recording its result can take; a mail whose lease
   *   ends is due again
   * @param onError gets the error of a kind that could not be claimed. Defaults to throwing it, which fails
   *   the whole claim
   */
  constructor(
    leaseMs: number,
    onError: (error: unknown) => void = (error) => {
      throw error;
    },
  ) {
    this.#leaseMs = leaseMs;
    this.#onError = onError;
  }

  /** Claims at most `limit` due mails, and none while another process claims. */
  async claim(transact: Transact, limit: number): Promise<NoticeClaim[]> {
    const claims: NoticeClaim[] = [];

    for (const kind of this.#kinds) {
      if (claims.length >= limit) break;

      try {
        const wanted = limit - claims.length;
        claims.push(
          ...(await transact((tx) => this.#claim(tx, kind, wanted), { lock: claimLock })),
        );
      } catch (error) {
        if (error instanceof LockNotAvailable) break;
        // Do not throw: the caller has to send the mails that are claimed already.
        this.#onError(error);
        // The next call claims this kind last, so that its failures do not block the others.
        this.#kinds = [...this.#kinds.filter((other) => other !== kind), kind];
        if (isUnavailable(error)) break;
      }
    }

    return claims;
  }

  async #claim(tx: Tx, kind: NoticeKind, limit: number): Promise<NoticeClaim[]> {
    const claims: NoticeClaim[] = [];
    for (let mails = 0; mails < maxMailsPerCall && claims.length < limit; mails += 1) {
      const cursor = this.#cursors.get(kind) ?? '';
      const [next] = await tx.sql<NextMail>(nextStatement, [kind, cursor, isDigest[kind]]);
      if (!next) break;
      this.#cursors.set(kind, next.accountId);
      if (next.postponedUntil) await this.#postpone(tx, kind, next, next.postponedUntil);
      else claims.push(...(await this.#claimMail(tx, kind, next)));
    }
    return claims;
  }

  #postpone(tx: Tx, kind: NoticeKind, next: NextMail, until: Date): Promise<unknown> {
    const { id, isRetry, accountId, mailbox } = next;
    return isRetry
      ? tx.sql(postponeMailStatement, [id, until])
      : tx.sql(postponeStatement, [kind, accountId, mailbox, until, maxPostponedNotices]);
  }

  async #claimMail(tx: Tx, kind: NoticeKind, next: NextMail): Promise<NoticeClaim[]> {
    const { id, isRetry, accountId, mailbox } = next;
    const token = randomInt(1, 2 ** 48 - 1);
    const otherNotices = isDigest[kind] ? maxNoticesPerMail - 1 : 0;
    const rows = isRetry
      ? await tx.sql<ClaimedRow>(claimRetryStatement, [id, token, this.#leaseMs])
      : await tx.sql<ClaimedRow>(claimMailStatement, [
          kind,
          accountId,
          mailbox,
          id,
          token,
          this.#leaseMs,
          otherNotices,
        ]);

    const sorted = rows.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    const firstRow = sorted.find((row) => row.id === id) ?? sorted[0];
    if (!firstRow) return [];

    const { messageId, createdAt, attempts } = firstRow;
    return [
      {
        id,
        token,
        accountId,
        messageId,
        createdAt,
        attempts,
        notices: sorted.map((row) => row.id),
        kind,
        recipient: firstRow.recipient,
        entries: sorted.map(({ resourceId, data }) => ({ resourceId, data })),
      } as NoticeClaim,
    ];
  }
}

/**
 * Selects the notice that is due next, of the next account after the cursor. A notice that a mail already names
 * stands for the whole mail. Each step of the walk is one probe of the index (kind, account_id, due_at), so a long
 * backlog of one account does not slow down the others.
 *
 * `postponedUntil` is when the mail may be sent, if it must wait:
 * - until 15 minutes after the last mail of this kind and account to the recipient, unless it is that mail;
 * - for another 15 minutes if such a mail is claimed and not sent yet, unless it is that mail;
 * - until the recipient got fewer than 20 mails within an hour, from all accounts. Mails to sign in neither count nor
 *   wait: strangers can request them, so they have their own limits.
 */
const nextStatement: Statement = {
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
interface NextMail {
  /** The first notice of the mail, whose id is the mail's. */
  readonly id: string;
  /** Whether the mail has been claimed before. */
  readonly isRetry: boolean;
  readonly accountId: string;
  /** The form in which the address of the recipient is compared. */
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
 * Puts the notice `$4`, and at most `$7` others for its recipient, into a new mail and claims it. Notices that are
 * not due yet join it, because they would otherwise need another mail. The first notice is found by its id alone: a
 * planner that believes the table to be empty would otherwise read all pending notices.
 */
const claimMailStatement: Statement = {
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
const claimRetryStatement: Statement = {
  name: 'notice_claim_retry',
  text: `
    update notice n
       set lease_token = $2, due_at = now() + $3::int * interval '1 millisecond',
           claimed_at = case when n.id = n.mail_id then now() end
     where n.mail_id = $1 and n.sent_at is null and n.refused_at is null and n.due_at <= now()
    ${returningClaim}`,
};

/** Postpones a recipient's pending notices that no mail names yet. */
const postponeStatement: Statement = {
  name: 'notice_postpone',
  text: `
    update notice n set due_at = $4
     where n.id = any (array(select n.id from notice n where ${pendingCondition} and n.due_at <= now()
                               order by n.due_at limit $5))
    returning n.id`,
};

/** Postpones a mail that has been claimed before. */
const postponeMailStatement: Statement = {
  name: 'notice_postpone_mail',
  text: `
    update notice n set due_at = $2
     where n.mail_id = $1 and n.sent_at is null and n.refused_at is null and n.due_at <= now()
    returning n.id`,
};

/** A claimed notice. */
interface ClaimedRow {
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
