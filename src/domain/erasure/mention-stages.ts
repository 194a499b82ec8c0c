import { randomBase62 } from '../id.js';
import type { Tx } from '../tx.js';
import { type Mentions, mentionsOf } from './mentions.js';
import { redactMentions, redactSale, redactText } from './redact.js';
import type { ErasureJob, Stage } from './stage.js';
import { type Walk, windowOf } from './walk.js';

/** Columns that people can enter an address into. */
interface FreeColumns {
  readonly json?: readonly string[];
  readonly text?: readonly string[];
  /** Text that names a row for a client; a mention makes it another name. */
  readonly keys?: readonly string[];
  /** JSON as text, of the sales of the buyer. */
  readonly bodies?: readonly string[];
}

type FoundRow = Readonly<Record<string, unknown>> & {
  readonly place: readonly string[];
  /** Whether a stored response has a resource of the buyer. */
  readonly isSale: boolean;
};

const position = [{ name: 'position', type: 'integer' }];
const id = [{ name: 'id', type: 'text' }];

const tables: readonly (Walk & FreeColumns)[] = [
  {
    table: 'order',
    key: position,
    json: ['metadata', 'line_items'],
    text: ['external_reference', 'affiliate'],
  },
  { table: 'payment', key: position, keys: ['key'] },
  { table: 'refund', key: position, text: ['note'] },
  {
    table: 'checkout',
    key: id,
    json: ['metadata', 'line_items'],
    text: ['success_url', 'cancel_url', 'external_reference', 'affiliate'],
  },
  {
    table: 'offer',
    key: position,
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

/** In SQL: whether a text has the id of a resource of the buyer; `$5` is the erasure. */
export const hasSubject = (text: string) => `exists (
      select from regexp_matches(${text}, '${resourceIds}', 'g') m (found)
       where m.found[1] in (select s.resource_id from erasure_subject s where s.erasure_id = $5))`;

/**
 * Erases mentions of the address wherever people enter texts, also those of other buyers, and the
 * buyer from stored responses.
 */
export const mentionStages: readonly Stage[] = tables.map((free) => ({
  name: `mentions_${free.table}`,
  run: async (tx, job, place) => {
    const mentions = mentionsOf(job.email ?? '');
    const window = await windowOf(tx, free, job, place);
    const { json = [], text = [], keys = [], bodies = [] } = free;
    const columns = [...json, ...text, ...keys, ...bodies];
    const mayMention = columns.map((name) => `r.${name}::text ~* $4`).join(' or ');
    const isSale = bodies.map((name) => hasSubject(`r.${name}`)).join(' or ') || 'false';
    const rows = await tx.sql<FoundRow>(
      {
        name: `erasure_mentions_${free.table}_${window.variant}`,
        text: `
          select array[${free.key.map(({ name }) => `r.${name}::text`).join(', ')}] as place,
                 (${isSale}) as "isSale", ${columns.map((name) => `r.${name}`).join(', ')}
            from "${free.table}" r
           where ${window.rows} and $5::text is not null and (${mayMention} or ${isSale})`,
      },
      [...window.values, mentions.pattern, job.id],
    );
    let changed = 0;
    for (const { place: at, isSale: isOwn, ...row } of rows) {
      // PostgreSQL also finds other addresses with the same local part.
      const isFound =
        isOwn ||
        [...json, ...bodies].some((name) => mentions.isIn(asText(row[name]))) ||
        [...text, ...keys].some((name) => mentions.find(asText(row[name])) !== undefined);
      if (!isFound) continue;
      const after = redactRow(free, row, mentions);
      const names = columns.filter((name) => asText(after[name]) !== asText(row[name]));
      if (names.length === 0) continue;
      await update(tx, job, free, at, names, after);
      changed += 1;
    }
    return { counts: { [free.table]: changed }, next: window.next };
  },
}));

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

async function update(
  tx: Tx,
  { accountId }: ErasureJob,
  { table, key, json = [] }: Walk & FreeColumns,
  place: readonly string[],
  names: readonly string[],
  after: Readonly<Record<string, unknown>>,
): Promise<void> {
  const changes = names.map((name, index) => `${name} = $${index + 3}`).join(', ');
  const at = key.map(({ name, type }, index) => `${name} = ($2::text[])[${index + 1}]::${type}`);
  await tx.sql(
    {
      name: `erasure_redact_${table}_${names.join('_')}`,
      text: `update "${table}" set ${changes} where account_id = $1 and ${at.join(' and ')}`,
    },
    [
      accountId,
      place,
      ...names.map((name) => (json.includes(name) ? JSON.stringify(after[name]) : after[name])),
    ],
  );
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
