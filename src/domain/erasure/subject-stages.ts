import { singleRow } from '../rows.js';
import type { Statement, Tx } from '../tx.js';
import { erasedBuyer, erasedEmail, erasedText } from './erased-values.js';
import type { RowCounts, Stage } from './stage.js';
import { replaceColumns } from './walk.js';

const idsStatement: Statement = {
  name: 'erasure_subjects',
  text: `
    select s.resource_id as id from erasure_subject s
     where s.erasure_id = $1 and s.resource_id > $2 and s.resource_id < $3
     order by s.resource_id limit $4`,
};

/** Years for which an invoice keeps its buyer, as tax law wants of most accounts. */
const booksYears = 10;

/** An event can have ten records at each of a thousand endpoints. */
const eventsPerStep = 20;
const rowsPerStep = 500;

/** In SQL: the rows `r` of the subjects `$2` of the account `$1`. */
const rows = 'r.account_id = $1 and r.id = any ($2::text[])';

const noMetadata = { metadata: `'{}'` };

/** What to replace in the rows of the buyer, by the prefix of their ids. */
const replacements = {
  ord: replaceColumns('order', { buyer: erasedBuyer('r.buyer'), ...noMetadata })(rows),
  pay: replaceColumns('payment', { buyer_email: `'${erasedEmail}'`, mailbox: 'null' })(rows),
  rfd: replaceColumns('refund', { note: 'null' })(rows),
  inv: replaceColumns(
    'invoice',
    { buyer: erasedBuyer('r.buyer') },
    `($3::boolean or r.issued_at < now() - interval '${booksYears} years')`,
  )(rows),
  chk: replaceColumns('checkout', {
    buyer_email: 'null',
    buyer_email_locked: 'false',
    ...noMetadata,
  })(rows),
  // One that is still open ends, because its recipient is gone.
  off: replaceColumns('offer', {
    recipient_email: `'${erasedEmail}'`,
    title: `'${erasedText}'`,
    message: 'null',
    ...noMetadata,
    expires_at: 'least(r.expires_at, now())',
  })(rows),
  evt: `
    with gone as (
      delete from delivery_evidence v
       where v.delivery_id = any (array(
         select d.id from delivery d where d.account_id = $1 and d.event_id = any ($2::text[])))
      returning 1)
    select count(*)::int as delivery_evidence from gone`,
} as const;

/** Erases the buyer from the rows that the erasure found, and the evidence of their events. */
export const subjectStages: readonly Stage[] = Object.entries(replacements).map(
  ([prefix, text]) => ({
    name: `subject_${prefix}`,
    async run(tx, job, place) {
      const limit = prefix === 'evt' ? eventsPerStep : rowsPerStep;
      const ids = await subjectsOf(tx, job.id, {
        after: place?.[0] ?? `${prefix}_`,
        prefix,
        limit,
      });
      if (ids.length === 0) return { counts: {}, next: null };
      const values = [job.accountId, ids, ...(prefix === 'inv' ? [job.includeInvoices] : [])];
      const statement = { name: `erasure_subject_${prefix}`, text };
      const counts = await singleRow<RowCounts>(tx, statement, values);
      return { counts, next: ids.length < limit ? null : ids.slice(-1) };
    },
  }),
);

async function subjectsOf(
  tx: Tx,
  erasureId: string,
  { after, prefix, limit }: { after: string; prefix: string; limit: number },
): Promise<string[]> {
  const found = await tx.sql<{ id: string }>(idsStatement, [erasureId, after, `${prefix}~`, limit]);
  return found.map(({ id }) => id);
}
