import { makeId } from '../id.js';
import type { Statement, Tx } from '../tx.js';
import type { NoticeKind, NoticeContent } from './mail-templates.js';

/** A notice before it has a row. */
export type NewNotice<Kind extends NoticeKind> = NoticeContent<Kind> & {
  readonly accountId: string;
};

const enqueueStatement: Statement = {
  name: 'notice_enqueue',
  text: `
    insert into notice (id, account_id, kind, resource_id, recipient, data, message_id, created_at,
                        due_at)
    select i.id, i.account_id, i.kind, i.resource_id, i.recipient, i.data::jsonb, i.message_id, $8, $8
      from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
           i (id, account_id, kind, resource_id, recipient, data, message_id)`,
};

/** Writes these notices in the transaction, and wakes the worker that sends them after its commit. */
export async function enqueueNotices<Kind extends NoticeKind>(
  tx: Tx,
  notices: readonly NewNotice<Kind>[],
): Promise<void> {
  if (notices.length === 0) return;
  const host = new URL(tx.rules.baseUrl).hostname;
  const ids = notices.map(() => makeId('ntc', tx.now));
  await tx.sql(enqueueStatement, [
    ids,
    notices.map(({ accountId }) => accountId),
    notices.map(({ kind }) => kind),
    notices.map(({ resourceId }) => resourceId),
    notices.map(({ recipient }) => recipient),
    notices.map(({ data }) => JSON.stringify(data)),
    ids.map((id) => `<${id}@${host}>`),
    tx.now,
  ]);
  tx.wake({ kind: 'notify' });
}
