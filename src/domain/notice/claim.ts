import { randomInt } from 'node:crypto';
import type { Read, Statement } from '../tx.js';
import { type AnyTold, type NoticeKind, noticeKinds } from './messages.js';
import { isUnavailable } from '../unavailable.js';

/** The right to send one notice, until its lease ends; everything its mail needs. */
export type NoticeClaim = AnyTold & {
  readonly id: string;
  /** Fences the settlement: a notice that somebody else has claimed since does not settle. */
  readonly token: number;
  readonly accountId: string;
  readonly messageId: string;
  readonly createdAt: Date;
  /** Attempts that have ended before this one. */
  readonly attempts: number;
};

/**
 * Walks the accounts that are owed notices of a kind, from one after the cursor once around, and takes
 * what is due, until there is enough. Each step is one probe of the index (kind, account_id, due_at),
 * so a long backlog of one account costs the others nothing.
 */
const claimStatement: Statement = {
  name: 'notice_claim',
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
    ), due as (
      select d.id from walk w cross join lateral (
        select n.id from notice n
         where n.sent_at is null and n.refused_at is null and n.kind = $1
           and n.account_id = w.account_id and n.due_at <= now()
         order by n.due_at limit $3 for update skip locked) d
       limit $3
    )
    update notice n
       set lease_token = $4, due_at = now() + $5::int * interval '1 millisecond'
     where n.id = any (array(select d.id from due d))
    returning n.id, n.lease_token as token, n.account_id as "accountId", n.kind,
              n.about_id as about, n.recipient, n.data, n.message_id as "messageId",
              n.created_at as "createdAt", n.attempts`,
};

/**
 * Claims notices for one process: of disabled endpoints before mails of offers, unless claiming those
 * failed last, and of each kind one account after the other. Remembers where it stopped and goes on from there.
 */
export class NoticeClaimer {
  readonly #leaseMs: number;
  readonly #onFailed: (error: unknown) => void;
  readonly #cursors = new Map<NoticeKind, string>();
  #kinds: readonly NoticeKind[] = noticeKinds;

  /**
   * @param leaseMs longer than sending one and settling it can take; a lease is nothing but "due
   *   again then"
   * @param onFailed hears of kinds that could not be claimed; unless it is said the whole claim fails
   */
  constructor(
    leaseMs: number,
    onFailed: (error: unknown) => void = (error) => {
      throw error;
    },
  ) {
    this.#leaseMs = leaseMs;
    this.#onFailed = onFailed;
  }

  /** Claims notices that are due, at most `limit`; of one account the longest due first. */
  async claim(read: Read, limit: number): Promise<NoticeClaim[]> {
    const claims: NoticeClaim[] = [];
    for (const kind of this.#kinds) {
      if (claims.length >= limit) break;
      try {
        claims.push(...(await this.#claim(read, kind, limit - claims.length)));
      } catch (error) {
        // What was claimed already has to be sent all the same.
        this.#onFailed(error);
        // Next time the others are not behind it, if it is this kind alone.
        this.#kinds = [...this.#kinds.filter((each) => each !== kind), kind];
        if (isUnavailable(error)) break;
      }
    }
    return claims;
  }

  async #claim(read: Read, kind: NoticeKind, limit: number): Promise<NoticeClaim[]> {
    const cursor = this.#cursors.get(kind) ?? '';
    const token = randomInt(1, 2 ** 48 - 1);
    const values = [kind, cursor, limit, token, this.#leaseMs];
    const claims = await read.sql<NoticeClaim>(claimStatement, values);
    const accounts = claims.map(({ accountId }) => accountId);
    const wrapped = accounts.filter((id) => id <= cursor);
    const last = wrapped.length > 0 ? wrapped : accounts;
    this.#cursors.set(kind, last.toSorted().at(-1) ?? '');
    return claims;
  }
}
