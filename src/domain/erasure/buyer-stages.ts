// The stages that erase the personal data of a buyer, who is known by the e-mail address only.
//
// The first stages collect the ids of everything that belongs to the buyer, because later stages overwrite the address
// by which it was found. Then come mails, events, the rows themselves, and other texts that mention the address. The
// evidence of changed events is deleted after the events, since attempts in between may still send the old bytes.
//
// A stage may run again: each step changes only what still has personal data. So the passes of run-step.ts repeat all
// stages until one pass finds nothing.
import { backfillMailboxes, hasMissingMailboxes } from '../account/backfill-mailboxes.js';
import { filterPathOf, mapFilterTexts } from '../endpoint/filter.js';
import { singleRow } from '../transaction/rows.js';
import { removeHeadersWhere } from '../endpoint/headers.js';
import type { Statement, Tx } from '../transaction/tx.js';
import { isSameMailbox, mailboxIn } from '../values/email.js';
import { randomBase62 } from '../values/id.js';
import {
  mentionsOf,
  redactEvent,
  schemasOf,
  erasedBuyer,
  erasedEmail,
  erasedText,
  type Mentions,
  redactMentions,
  redactSale,
  redactText,
} from './redact.js';
import {
  replaceColumns,
  type RowCounts,
  type Stage,
  type Step,
  type StepResult,
  type TableRows,
  tableStage,
  windowOf,
} from './stage.js';

const idKey = [{ name: 'id', type: 'text' }];
const positionKey = [{ name: 'position', type: 'integer' }];

const mailboxesPerStep = 500;

/** The first stage fills in the forms of addresses, because later stages find payments by them. */
async function backfillAll(tx: Tx): Promise<StepResult> {
  const filled = await backfillMailboxes(tx, mailboxesPerStep);
  if (filled > 0) return { counts: {}, next: [] };
  const isBlocked = await hasMissingMailboxes(tx);
  return { counts: {}, next: isBlocked ? [] : null, isBlocked };
}

/** In SQL: whether a column has the id of a resource of the buyer. `$5` is the id of the erasure. */
const isSubject = (column: string) =>
  `${column} in (select s.resource_id from erasure_subject s where s.erasure_id = $5)`;

/** What {@link collect} collects, in SQL. */
interface Collected {
  /** A query for rows `f` with an `id`. */
  readonly resources: string;
  /** An array with the ids to collect of a row `f`. */
  readonly ids: string;
}

/** In SQL: collects the ids of resources. It erases nothing, so it counts no rows. */
const collect = ({ resources, ids }: Collected) => `
    with resource as (${resources}), collected as (
      insert into erasure_subject (erasure_id, resource_id)
      select distinct $5::text, c.id from resource f cross join lateral unnest(${ids}) c (id)
       where c.id is not null
      on conflict do nothing
    )
    select 0 as collected`;

/**
 * These stages collect what belongs to the buyer: payments with the address, and their orders, refunds, invoices,
 * checkouts and offers; orders and invoices with the address; offers to the address, and their checkouts; checkouts
 * with the address.
 */
const collectStages: readonly Stage[] = [
  tableStage({
    name: 'collect_payment',
    table: 'payment',
    key: positionKey,
    buyer: `${mailboxIn('buyer_email', 'r.')} = $4`,
    sql: (rows) =>
      collect({
        resources: `select r.id, r.order_id from payment r where ${rows}`,
        ids: `array[f.id, f.order_id, (select o.checkout_id from "order" o where o.id = f.order_id),
             (select x.id from offer x where x.order_id = f.order_id)]
         || array(select x.id from refund x where x.payment_id = f.id)
         || array(select x.id from invoice x where x.payment_id = f.id)`,
      }),
  }),
  // Invoices are searched, too: they keep their buyer when the payment no longer has the address.
  collectByAddress({ table: 'order', key: positionKey, address: `(r.buyer ->> 'email')` }),
  collectByAddress({ table: 'invoice', key: positionKey, address: `(r.buyer ->> 'email')` }),
  collectByAddress({ table: 'offer', key: positionKey, address: 'r.recipient_email' }),
  collectByAddress({
    table: 'checkout',
    key: idKey,
    address: 'r.buyer_email',
    orWhere: isSubject('r.offer_id'),
  }),
];

/** Rows that are found by the address of the buyer. */
interface AddressedRows extends Pick<TableRows, 'table' | 'key'> {
  /** In SQL: their address. */
  readonly address: string;
  /** In SQL: the condition of other rows that belong to the buyer. Defaults to none. */
  readonly orWhere?: string;
}

/** Returns a stage that collects the rows with the address of the buyer. */
function collectByAddress({ table, key, address, orWhere }: AddressedRows): Stage {
  const hasAddress = `${address} = any ($4::text[])`;
  const belongs = orWhere === undefined ? hasAddress : `(${hasAddress} or ${orWhere})`;
  return tableStage({
    name: `collect_${table}`,
    table,
    key,
    address,
    sql: (rows) =>
      collect({
        resources: `select r.id from "${table}" r where ${rows} and ${belongs}`,
        ids: 'array[f.id]',
      }),
  });
}

/** Deletes the mails about offers to the buyer. */
const noticeStage = tableStage({
  table: 'notice',
  key: idKey,
  address: 'r.recipient',
  sql: (rows) => `
    with gone as (
      delete from notice r
       where ${rows} and r.resource_id like 'off\\_%'
         and (r.recipient = any ($4::text[]) or ${isSubject('r.resource_id')})
      returning 1)
    select count(*)::int as notice from gone`,
});

/** An event has at most 256 KiB, so a step reads at most 12 MiB. */
const eventsPerStep = 50;

const eventUpdate: Statement = {
  name: 'erasure_event_update',
  text: `
    with subject as (
      insert into erasure_subject (erasure_id, resource_id) values ($5, $2) on conflict do nothing)
    update event set body = $3, subject = $4 where account_id = $1 and id = $2`,
};

interface EventRow {
  readonly id: string;
  readonly type: string;
  readonly body: Buffer;
  readonly hasSubject: boolean;
  readonly buyer: string | null;
  readonly recipient: string | null;
}

async function eraseFromEvents(tx: Tx, step: Step): Promise<StepResult> {
  const { job } = step;
  const email = job.email ?? '';
  const mentions = mentionsOf(email);
  const window = await windowOf(tx, { table: 'event', key: idKey }, step, eventsPerStep);
  const events = await tx.sql<EventRow>(
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
      [event.buyer, event.recipient].some(
        (address) => address !== null && isSameMailbox(address, email),
      );

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

/** An invoice keeps its buyer for this many years, as tax law requires of most accounts. */
const booksYears = 10;

/** A step takes few events, because each can have ten records at each of a thousand endpoints. */
const evidenceEventsPerStep = 20;
const subjectsPerStep = 500;

/** In SQL: the rows `r` of the subjects `$2` of the account `$1`. */
const subjectRows = 'r.account_id = $1 and r.id = any ($2::text[])';

const noMetadata = { metadata: `'{}'` };

/** What to erase in the collected rows of one kind. */
interface SubjectErasure {
  /** The prefix of their ids. */
  readonly prefix: string;
  /** How many ids a step takes, at most. Defaults to 500. */
  readonly limit?: number;
  /** Erases the rows with the ids `$2`, and returns one row with their number by table. */
  readonly sql: string;
  /** Whether the statement takes `$3`: whether invoices of the last years are included. */
  readonly needsIncludeInvoices?: boolean;
}

const subjectErasures: readonly SubjectErasure[] = [
  {
    prefix: 'ord',
    sql: replaceColumns({
      table: 'order',
      rows: subjectRows,
      values: { buyer: erasedBuyer('r.buyer'), ...noMetadata },
    }),
  },
  {
    prefix: 'pay',
    sql: replaceColumns({
      table: 'payment',
      rows: subjectRows,
      values: { buyer_email: `'${erasedEmail}'`, mailbox: 'null' },
    }),
  },
  {
    prefix: 'rfd',
    sql: replaceColumns({ table: 'refund', rows: subjectRows, values: { note: 'null' } }),
  },
  {
    prefix: 'inv',
    sql: replaceColumns({
      table: 'invoice',
      rows: `${subjectRows} and ($3::boolean or r.issued_at < now() - interval '${booksYears} years')`,
      values: { buyer: erasedBuyer('r.buyer') },
    }),
    needsIncludeInvoices: true,
  },
  {
    prefix: 'chk',
    sql: replaceColumns({
      table: 'checkout',
      rows: subjectRows,
      values: { buyer_email: 'null', buyer_email_locked: 'false', ...noMetadata },
    }),
  },
  {
    prefix: 'off',
    sql: replaceColumns({
      table: 'offer',
      rows: subjectRows,
      values: {
        recipient_email: `'${erasedEmail}'`,
        title: `'${erasedText}'`,
        message: 'null',
        ...noMetadata,
        // An open offer expires, because its recipient is erased.
        expires_at: 'least(r.expires_at, now())',
      },
    }),
  },
  {
    prefix: 'evt',
    limit: evidenceEventsPerStep,
    sql: `
    with gone as (
      delete from delivery_evidence v
       where v.delivery_id = any (array(
         select d.id from delivery d where d.account_id = $1 and d.event_id = any ($2::text[])))
      returning 1)
    select count(*)::int as delivery_evidence from gone`,
  },
];

/** These stages erase the buyer from the collected rows, and delete the evidence of their events. */
const subjectStages: readonly Stage[] = subjectErasures.map((erasure) => ({
  name: `subject_${erasure.prefix}`,
  run: (tx, step) => eraseFromSubjects(tx, erasure, step),
}));

async function eraseFromSubjects(
  tx: Tx,
  { prefix, limit = subjectsPerStep, sql, needsIncludeInvoices }: SubjectErasure,
  { job, place }: Step,
): Promise<StepResult> {
  const after = place?.[0] ?? `${prefix}_`;
  const ids = await subjectsOf(tx, job.id, { after, prefix, limit });
  if (ids.length === 0) return { counts: {}, next: null };

  const statement = { name: `erasure_subject_${prefix}`, text: sql };
  const values = [job.accountId, ids, ...(needsIncludeInvoices ? [job.includeInvoices] : [])];
  const counts = await singleRow<RowCounts>(tx, statement, values);

  return { counts, next: ids.length < limit ? null : ids.slice(-1) };
}

const idsStatement: Statement = {
  name: 'erasure_subjects',
  text: `
    select s.resource_id as id from erasure_subject s
     where s.erasure_id = $1 and s.resource_id > $2 and s.resource_id < $3
     order by s.resource_id limit $4`,
};

async function subjectsOf(
  tx: Tx,
  erasureId: string,
  { after, prefix, limit }: { after: string; prefix: string; limit: number },
): Promise<string[]> {
  const rows = await tx.sql<{ id: string }>(idsStatement, [erasureId, after, `${prefix}~`, limit]);
  return rows.map(({ id }) => id);
}

/** Columns into which people can enter an address. */
interface FreeColumns {
  readonly json?: readonly string[];
  readonly text?: readonly string[];
  /** Keys that clients choose; one that mentions the address gets another value. */
  readonly keys?: readonly string[];
  /** JSON as text, which may be about a sale to the buyer. */
  readonly bodies?: readonly string[];
}

type MentionRow = Readonly<Record<string, unknown>> & {
  readonly place: readonly string[];
  /** Whether a stored response has a resource of the buyer. */
  readonly isSale: boolean;
};

type MentionTable = TableRows & FreeColumns;

const mentionTables: readonly MentionTable[] = [
  {
    table: 'order',
    key: positionKey,
    json: ['metadata', 'line_items'],
    text: ['external_reference', 'affiliate'],
  },
  { table: 'payment', key: positionKey, keys: ['key'] },
  { table: 'refund', key: positionKey, text: ['note'] },
  {
    table: 'checkout',
    key: idKey,
    json: ['metadata', 'line_items'],
    text: ['success_url', 'cancel_url', 'external_reference', 'affiliate'],
  },
  {
    table: 'offer',
    key: positionKey,
    json: ['metadata', 'line_items'],
    text: ['title', 'message'],
  },
  { table: 'publish_key', key: [{ name: 'key', type: 'text' }], keys: ['key'] },
  {
    table: 'idempotency_record',
    key: [{ name: 'key', type: 'text' }],
    keys: ['key'],
    text: ['location'],
    bodies: ['body'],
  },
];

/** The ids of resources in a text. */
const resourceIds = '(?:chk|ord|pay|rfd|inv|off)_[0-9A-Za-z]{24}';

/** In SQL: whether a text has the id of a resource of the buyer. `$5` is the id of the erasure. */
const hasSubject = (text: string) => `exists (
      select from regexp_matches(${text}, '${resourceIds}', 'g') m (ids)
       where m.ids[1] in (select s.resource_id from erasure_subject s where s.erasure_id = $5))`;

/**
 * These stages erase mentions of the address from all texts that people enter, also in rows of other buyers, and the
 * buyer from stored responses.
 */
const mentionStages: readonly Stage[] = mentionTables.map((mentionTable) => ({
  name: `mentions_${mentionTable.table}`,
  run: (tx, step) => eraseMentions(tx, mentionTable, step),
}));

async function eraseMentions(tx: Tx, mentionTable: MentionTable, step: Step): Promise<StepResult> {
  const { job } = step;
  const { table, key, json = [], text = [], keys = [], bodies = [] } = mentionTable;
  const mentions = mentionsOf(job.email ?? '');
  const window = await windowOf(tx, mentionTable, step);

  const columns = [...json, ...text, ...keys, ...bodies];
  const mayMention = columns.map((name) => `r.${name}::text ~* $4`).join(' or ');
  const isSale = bodies.map((name) => hasSubject(`r.${name}`)).join(' or ') || 'false';
  const rows = await tx.sql<MentionRow>(
    {
      name: `erasure_mentions_${table}_${window.variant}`,
      text: `
          select array[${key.map(({ name }) => `r.${name}::text`).join(', ')}] as place,
                 (${isSale}) as "isSale", ${columns.map((name) => `r.${name}`).join(', ')}
            from "${table}" r
           where ${window.rows} and $5::text is not null and (${mayMention} or ${isSale})`,
    },
    [...window.values, mentions.pattern, job.id],
  );

  let changed = 0;

  for (const { place, isSale: isSaleToBuyer, ...row } of rows) {
    // PostgreSQL also finds other addresses with the same local part.
    const isAboutBuyer =
      isSaleToBuyer ||
      [...json, ...bodies].some((name) => mentions.isIn(asText(row[name]))) ||
      [...text, ...keys].some((name) => mentions.find(asText(row[name])) !== undefined);
    if (!isAboutBuyer) continue;

    const after = redactRow(mentionTable, row, mentions);
    const names = columns.filter((name) => asText(after[name]) !== asText(row[name]));
    if (names.length === 0) continue;

    await updateRow(tx, { accountId: job.accountId, mentionTable, place, names, after });
    changed += 1;
  }

  return { counts: { [table]: changed }, next: window.next };
}

function redactRow(
  { json = [], text = [], keys = [], bodies = [] }: FreeColumns,
  row: Readonly<Record<string, unknown>>,
  mentions: Mentions,
): Record<string, unknown> {
  const after: Record<string, unknown> = { ...row };
  for (const name of json) after[name] = redactMentions(row[name], mentions);

  for (const name of text) {
    const value = row[name];
    if (typeof value === 'string') after[name] = redactText(value, mentions);
  }

  for (const name of keys) {
    const value = row[name];
    if (typeof value === 'string' && mentions.find(value) !== undefined)
      after[name] = `erased:${randomBase62(24)}`;
  }

  for (const name of bodies) {
    const value = row[name];
    if (typeof value === 'string' && value !== '') {
      after[name] = JSON.stringify(redactSale(JSON.parse(value), mentions));
    }
  }

  return after;
}

/** A row to update. */
interface RowUpdate {
  readonly accountId: string;
  readonly mentionTable: MentionTable;
  /** Its key. */
  readonly place: readonly string[];
  /** The columns that change. */
  readonly names: readonly string[];
  /** The new values by column, also of columns that do not change. */
  readonly after: Readonly<Record<string, unknown>>;
}

async function updateRow(
  tx: Tx,
  { accountId, mentionTable, place, names, after }: RowUpdate,
): Promise<void> {
  const { table, key, json = [] } = mentionTable;
  const changes = names.map((name, index) => `${name} = $${index + 3}`).join(', ');
  const at = key.map(({ name, type }, index) => `${name} = ($2::text[])[${index + 1}]::${type}`);
  const statement = {
    name: `erasure_redact_${table}_${names.join('_')}`,
    text: `update "${table}" set ${changes} where account_id = $1 and ${at.join(' and ')}`,
  };

  const values = names.map((name) =>
    json.includes(name) ? JSON.stringify(after[name]) : after[name],
  );
  await tx.sql(statement, [accountId, place, ...values]);
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

/** A step opens the headers of at most this many endpoints. */
const endpointsPerStep = 100;

/** Deleted ones have no secrets. */
const receivingEndpoints = { table: 'endpoint', key: idKey, where: 'r.deleted_at is null' };

/**
 * Removes the static headers whose values mention the address: with another value they would be useless. A step fails,
 * and is repeated, while no key opens the headers of an endpoint.
 */
async function eraseFromHeaders(tx: Tx, step: Step): Promise<StepResult> {
  const mentions = mentionsOf(step.job.email ?? '');
  const window = await windowOf(tx, receivingEndpoints, step, endpointsPerStep);
  const endpoints = await tx.sql<{ readonly id: string }>(
    {
      name: `erasure_headers_${window.variant}`,
      text: `select r.id from endpoint r
              where ${window.rows} and r.header_names is not null
              order by r.account_id, r.id for no key update`,
    },
    window.values,
  );

  const ids = endpoints.map(({ id }) => id);
  const changed = await removeHeadersWhere(tx, ids, (value) => mentions.find(value) !== undefined);

  return { counts: { endpoint: changed }, next: window.next };
}

interface FilteredEndpoint {
  readonly id: string;
  readonly filter: string;
}

const filterUpdate: Statement = {
  name: 'erasure_filter_update',
  text: `
    update endpoint set filter = $4, filter_path = $5::jsonpath, filter_changed_at = $6
     where account_id = $1 and id = $2 and filter = $3`,
};

/** Replaces literals and names of filters that mention the address. They stay filters, and match nothing of the buyer. */
async function eraseFromFilters(tx: Tx, step: Step): Promise<StepResult> {
  const { accountId, email } = step.job;
  const mentions = mentionsOf(email ?? '');
  const window = await windowOf(tx, receivingEndpoints, step);

  // The jsonpath has no escapes that could hide the address.
  const endpoints = await tx.sql<FilteredEndpoint>(
    {
      name: `erasure_filters_${window.variant}`,
      text: `
        select r.id, r.filter from endpoint r
         where ${window.rows} and r.filter_path::text ~* $4`,
    },
    [...window.values, mentions.pattern],
  );

  let changed = 0;

  for (const { id, filter } of endpoints) {
    const after = mapFilterTexts(filter, (text) =>
      mentions.find(text) === undefined ? text : erasedText.slice(0, text.length),
    );
    if (after === filter) continue;

    await tx.sql(filterUpdate, [accountId, id, filter, after, filterPathOf(after), tx.now]);
    changed += 1;
  }

  return { counts: { endpoint: changed }, next: window.next };
}

/** The stages that erase a buyer, in the order in which they run. */
export const buyerStages: readonly Stage[] = [
  { name: 'mailbox', run: backfillAll },
  ...collectStages,
  noticeStage,
  { name: 'event', run: eraseFromEvents },
  ...subjectStages,
  ...mentionStages,
  { name: 'headers', run: eraseFromHeaders },
  { name: 'filter', run: eraseFromFilters },
];
