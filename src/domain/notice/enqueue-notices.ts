import { storedMailbox } from '../email.js';
import { makeId } from '../id.js';
import type { Tx } from '../tx.js';
import { Notice } from './notice.entity.js';
import type { NoticeKind, NoticeContent } from './mail-templates.js';

/** A notice before it has a row. */
export type NewNotice<Kind extends NoticeKind> = NoticeContent<Kind> & {
  readonly accountId: string;
};

/** Writes these notices in the transaction, and wakes the worker that sends them after its commit. */
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
