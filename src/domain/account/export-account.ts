import type { EntityMetadata } from 'typeorm';
import type { Read } from '../tx.js';
import { getAccount } from './accounts.js';

/** One row that an account owns, as JSON: its table, and its columns without secrets. */
export type ExportedRow = Readonly<Record<string, unknown>> & { readonly table: string };

/** An event has at most 256 KiB, so a page has at most 25 MiB. */
const pageSize = 100;

/**
 * Columns that stay inside: hashes and sealed secrets, which are of use only to this service, and
 * leases. {@link ownedTables} has no other `bytea` than the bodies of events.
 */
const internalColumns = ['token_sha256', 'fingerprint', 'lease_token'];

/**
 * Reads everything that an account owns, in pages of at most 100 rows: the account, then one table
 * after the other, each in the order of its key. A page has what is committed by then, so changes
 * during the export may be in it or not. Rows of the queue's leases and sealed secrets stay out.
 * @throws DomainError not_found
 */
export async function* exportAccount(
  read: Read,
  accountId: string,
): AsyncGenerator<readonly ExportedRow[]> {
  const { id, name, createdAt } = await getAccount(read, accountId);
  yield [{ table: 'account', id, name, created_at: createdAt.toISOString() }];
  for (const table of ownedTables(read)) yield* pagesOf(read, table, id);
}

/** The tables whose rows belong to an account, by name. */
function ownedTables({ manager }: Read): EntityMetadata[] {
  return manager.dataSource.entityMetadatas
    .filter(({ columns }) => columns.some(({ databaseName }) => databaseName === 'account_id'))
    .sort((one, other) => (one.tableName < other.tableName ? -1 : 1));
}

async function* pagesOf(
  read: Read,
  { tableName, columns, primaryColumns }: EntityMetadata,
  accountId: string,
): AsyncGenerator<readonly ExportedRow[]> {
  const shown = columns
    .filter(({ databaseName }) => !internalColumns.includes(databaseName))
    .map(({ databaseName: name, type }) =>
      type === 'bytea' ? `convert_from(r.${name}, 'UTF8')::json as ${name}` : `r.${name}`,
    );
  if (tableName === 'delivery') shown.push(evidence);
  // With the account it is an index, by which a page is read without those before it.
  const isLedger = columns.some(
    ({ databaseName, type }) => databaseName === 'position' && type === 'integer',
  );
  const primary = primaryColumns.map(({ databaseName }) => databaseName);
  const others = primary.filter((name) => name !== 'account_id');
  const key = isLedger ? ['position'] : others.length > 0 ? others : primary;
  const places = key.map((name) => `r.${name}`).join(', ');
  const after = key.map((name, index) => `($2::text[])[${index + 1}]::${typeOf(columns, name)}`);
  // Two statements: with a condition that may be null, the planner would not read a range.
  const pageOf = (name: string, range: string) => ({
    name: `export-${name}-${tableName}`,
    text: `select (select to_json(x) from (select ${shown.join(', ')}) x) as row,
                  array[${key.map((each) => `r.${each}::text`).join(', ')}] as place
             from "${tableName}" r where r.account_id = $1 ${range}
            order by ${places} limit ${pageSize}`,
  });
  const next = pageOf('next', `and (${places}) > (${after.join(', ')})`);
  let rows = await read.sql<Page>(pageOf('first', ''), [accountId]);
  while (rows.length > 0) {
    yield rows.map(({ row }) => ({ table: tableName, ...row }));
    if (rows.length < pageSize) break;
    rows = await read.sql<Page>(next, [accountId, rows.at(-1)?.place]);
  }
}

/** Evidence has no account of its own; it belongs to a delivery record. */
const evidence = `(select to_json(v) from delivery_evidence v where v.delivery_id = r.id) as evidence`;

interface Page {
  readonly row: Readonly<Record<string, unknown>>;
  readonly place: readonly string[];
}

/** The type of a column of a key, to which its text is cast back. */
function typeOf(columns: EntityMetadata['columns'], name: string): string {
  const type = columns.find(({ databaseName }) => databaseName === name)?.type;
  return typeof type === 'string' ? type : 'text';
}
