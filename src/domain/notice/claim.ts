import { randomInt } from 'node:crypto';
import type { Read, Statement } from '../tx.js';
import { type AnyTold, noticeKinds } from './messages.js';

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

const claimStatement: Statement = {
  name: 'notice_claim',
  text: `
    with due as (
      select n.id from notice n
       where n.sent_at is null and n.refused_at is null and n.due_at <= now()
         and n.kind = any ($1::text[])
       order by n.due_at limit $2 for update skip locked
    )
    update notice n
       set lease_token = $3, due_at = now() + $4::int * interval '1 millisecond'
     where n.id = any (array(select d.id from due d))
    returning n.id, n.lease_token as token, n.account_id as "accountId", n.kind,
              n.about_id as about, n.recipient, n.data, n.message_id as "messageId",
              n.created_at as "createdAt", n.attempts`,
};

/**
 * Claims notices that are due, the longest due first, at most `limit`. A lease is nothing but "due
 * again then".
 * @param leaseMs longer than sending one and settling it can take
 */
export function claimNotices(read: Read, limit: number, leaseMs: number): Promise<NoticeClaim[]> {
  const token = randomInt(1, 2 ** 48 - 1);
  return read.sql<NoticeClaim>(claimStatement, [noticeKinds, limit, token, leaseMs]);
}
