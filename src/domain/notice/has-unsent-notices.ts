import { singleRow } from '../rows.js';
import type { Read, Statement } from '../tx.js';

/** In SQL: a notice is not sent yet. */
export const unsentNotices = `exists (
           select from notice n where n.sent_at is null and n.refused_at is null)`;

const unsentStatement: Statement = {
  name: 'notice_any_unsent',
  text: `select ${unsentNotices} as "anyUnsent"`,
};

/** Whether a notice may be due. Claiming none takes several round trips, this takes one. */
export async function hasUnsentNotices(read: Read): Promise<boolean> {
  return (await singleRow<{ anyUnsent: boolean }>(read, unsentStatement)).anyUnsent;
}
