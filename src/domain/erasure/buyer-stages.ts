import { isSameMailbox } from '../email.js';
import { fillMailboxes, lackMailboxes } from '../fill-mailboxes.js';
import type { Statement, Tx } from '../tx.js';
import { collectStages } from './collect-subjects.js';
import { hasSubject, mentionStages } from './mention-stages.js';
import { mentionsOf } from './mentions.js';
import { redactEvent, schemasOf } from './redact-event.js';
import type { ErasureJob, Stage } from './stage.js';
import { subjectStages } from './subject-stages.js';
import { walkStage, windowOf } from './walk.js';

const id = [{ name: 'id', type: 'text' }];

/** An event has at most 256 KiB, so a step reads at most 12 MiB. */
const eventsPerStep = 50;

const mailboxesPerStep = 500;

const eventUpdate: Statement = {
  name: 'erasure_event_update',
  text: `
    with found as (
      insert into erasure_subject (erasure_id, resource_id) values ($5, $2) on conflict do nothing)
    update event set body = $3, subject = $4 where account_id = $1 and id = $2`,
};

const notices = walkStage(
  { table: 'notice', key: id },
  (rows) => `
    with gone as (
      delete from notice r
       where ${rows} and r.resource_id like 'off\\_%'
         and (r.recipient = any ($4::text[])
           or r.resource_id in (select s.resource_id from erasure_subject s where s.erasure_id = $5))
      returning 1)
    select count(*)::int as notice from gone`,
  { name: 'notice', address: 'r.recipient' },
);

/**
 * Lists the stages that erase a buyer. What is found by the address comes first, because later stages
 * need it; evidence of changed events comes last.
 */
export const buyerStages: readonly Stage[] = [
  { name: 'mailbox', run: fillAll },
  ...collectStages,
  notices,
  { name: 'event', run: eraseFromEvents },
  ...subjectStages,
  ...mentionStages,
];

/** Payments are found by the form of their address. */
async function fillAll(tx: Tx): ReturnType<Stage['run']> {
  const filled = await fillMailboxes(tx, mailboxesPerStep);
  if (filled > 0) return { counts: {}, next: [] };
  const isBlocked = await lackMailboxes(tx);
  return { counts: {}, next: isBlocked ? [] : null, isBlocked };
}

interface FoundEvent {
  readonly id: string;
  readonly type: string;
  readonly body: Buffer;
  readonly hasSubject: boolean;
  readonly buyer: string | null;
  readonly recipient: string | null;
}

async function eraseFromEvents(
  tx: Tx,
  job: ErasureJob,
  place: readonly string[] | null,
): ReturnType<Stage['run']> {
  const email = job.email ?? '';
  const mentions = mentionsOf(email);
  const window = await windowOf(tx, { table: 'event', key: id }, job, place, eventsPerStep);
  const events = await tx.sql<FoundEvent>(
    {
      name: `erasure_events_${window.variant}`,
      text: `
        select f.* from (
          select r.id, r.type, r.body, r.text ~* $4 or r.subject ~* $4 as "mayMention",
                 ${hasSubject('r.text')} as "hasSubject",
                 r.json #>> '{data,buyer,email}' as buyer,
                 r.json #>> '{data,offer,recipient_email}' as recipient
            from (select r.*, convert_from(r.body, 'UTF8') as text,
                         convert_from(r.body, 'UTF8')::json as json
                    from event r where ${window.rows} offset 0) r) f
         where f."mayMention" or f."hasSubject"`,
    },
    [...window.values, mentions.pattern, job.id],
  );
  const schemas = await schemasOf(
    tx,
    events.map(({ type }) => type),
  );
  let changed = 0;
  for (const event of events) {
    const { id, body } = event;
    const isSale =
      event.hasSubject ||
      [event.buyer, event.recipient].some((each) => each !== null && isSameMailbox(each, email));
    // PostgreSQL also finds other addresses with the same local part.
    const isMentioned = mentions.isIn(body.toString());
    if (!isSale && !isMentioned) continue;

    const redacted = await redactEvent(body, { mentions, isSale, erasedAt: tx.now, schemas });
    if (!redacted) continue;
    await tx.sql(eventUpdate, [job.accountId, id, redacted.body, redacted.subject, job.id]);
    changed += 1;
  }
  return { counts: { event: changed }, next: window.next };
}
