import type { Database } from '../../src/database/database.js';
import { makeId } from '../../src/domain/id.js';
import { oweNotices } from '../../src/domain/notice/owe.js';
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
  /** Seconds from the database's present. */
  readonly due_in: number;
}

/** Owes one notice of a disabled endpoint to each of these addresses, in one transaction. */
export async function oweTo(database: Database, ...recipients: string[]): Promise<void> {
  await database.transact((tx) =>
    oweNotices(
      tx,
      recipients.map((recipient) => ({
        kind: 'endpoint_disabled' as const,
        accountId: 'acc_1',
        about: makeId('whs', tx.now),
        recipient,
        data: {
          url: 'https://shop.example/hook',
          description: null,
          reason: 'receiver_gone' as const,
          disabledAt: tx.now.toISOString(),
          lastStatus: 410,
        },
      })),
    ),
  );
}

/** All notices, in the order they were owed. */
export function noticesOf(database: TestDatabase): Promise<NoticeRow[]> {
  return database.query<NoticeRow>(
    'select *, extract(epoch from due_at - now())::float8 as due_in from notice order by id',
  );
}

/** Ends every pause and every lease. */
export async function makeNoticesDue(database: TestDatabase): Promise<void> {
  await database.query(
    "update notice set due_at = date_trunc('milliseconds', now()) where sent_at is null",
  );
}
