import type { Database } from '../../src/database/database.js';
import { makeId } from '../../src/domain/id.js';
import { NoticeClaimer } from '../../src/domain/notice/claim.js';
import { enqueueNotices, recordNotice } from '../../src/domain/notice/notices.js';
import type { TestDatabase } from './database.js';

/** A row of the table `notice`. */
export interface NoticeRow {
  readonly id: string;
  readonly recipient: string;
  readonly message_id: string;
  readonly attempts: number;
  readonly last_error: string | null;
  readonly lease_token: string | null;
  readonly sent_at: Date | null;
  readonly refused_at: Date | null;
  /** Seconds from now() of the database. */
  readonly due_in: number;
}

/** Enqueues one notice of a disabled endpoint to each address, in one transaction. */
export function enqueueNoticesTo(database: Database, ...recipients: string[]): Promise<void> {
  return enqueueNoticesFor(database, 'acc_1', ...recipients);
}

/** Does as {@link enqueueNoticesTo}, for this account. */
export async function enqueueNoticesFor(
  database: Database,
  accountId: string,
  ...recipients: string[]
): Promise<void> {
  await database.transact((tx) =>
    enqueueNotices(
      tx,
      recipients.map((recipient) => ({
        kind: 'endpoint_disabled' as const,
        accountId,
        resourceId: makeId('whs', tx.now),
        recipient,
        data: {
          url: 'https://shop.example/hook',
          reason: 'receiver_gone' as const,
          disabledAt: tx.now.toISOString(),
          lastStatus: 410,
        },
      })),
    ),
  );
}

/** Enqueues the mail of an offer to each address, for this account. */
export async function enqueueOfferNotices(
  database: Database,
  accountId: string,
  ...recipients: string[]
): Promise<void> {
  const seller = 'Shop';
  const title = 'Tea';
  const message = null;
  const total = 'EUR 3.00';
  const url = 'https://api.example/offer/off_1';
  await database.transact((tx) => {
    const expiresAt = tx.now.toISOString();
    const data = { seller, title, message, total, url, expiresAt };
    const kind = 'offer_sent' as const;
    return enqueueNotices(
      tx,
      recipients.map((recipient) => ({ kind, accountId, resourceId: 'off_1', recipient, data })),
    );
  });
}

/** Enqueues, claims and records a notice, twice. The second is held back, because a mail was just sent. */
export async function claimAndRecord(database: Database): Promise<void> {
  const claimer = new NoticeClaimer(60_000);
  const recipient = `${makeId('ntc', new Date())}@shop.example`;
  for (let each = 0; each < 2; each += 1) {
    await enqueueNoticesFor(database, 'acc_notices', recipient);
    const claims = await claimer.claim(database.transact, 10);
    for (const claim of claims) await recordNotice(database.read, claim, { kind: 'sent' });
  }
}

/** All notices, oldest first. */
export function noticesOf(database: TestDatabase): Promise<NoticeRow[]> {
  return database.query<NoticeRow>(
    'select *, extract(epoch from due_at - now())::float8 as due_in from notice order by id',
  );
}

/** Ends every backoff, every lease and every time that mails are held back. */
export async function makeNoticesDue(database: TestDatabase): Promise<void> {
  await moveNoticesBack(database, 3_600);
  await database.query(
    "update notice set due_at = date_trunc('milliseconds', now()) where sent_at is null",
  );
}

/** Moves all notices into the past by `seconds`. */
export async function moveNoticesBack(database: TestDatabase, seconds: number): Promise<void> {
  await database.query(
    `update notice set due_at = due_at - $1 * interval '1 second',
            claimed_at = claimed_at - $1 * interval '1 second',
            sent_at = sent_at - $1 * interval '1 second'`,
    [seconds],
  );
}
