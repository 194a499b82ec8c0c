import type { Read } from '../transaction/tx.js';
import { findAccount } from './accounts.js';
import { orderInAccount, rowsOfAccount, type OwnedTable, ownedTables } from './owned-tables.js';

/** One row that an account owns, as JSON: its table, and its columns without secrets. */
export type ExportedRow = Readonly<Record<string, unknown>> & { readonly table: string };

/** An event has at most 256 KiB, so a page has at most 25 MiB. */
const pageSize = 100;

/**
 * Columns that an export leaves out: hashes and sealed secrets, which only this service can use, leases, the
 * networks of strangers who asked for mails, the form in which addresses are compared, and compiled filters. The only other `bytea`
 * of {@link ownedTables} are the bodies of events.
 */
const internalColumns = [
  'token_sha256',
  'code_sha256',
  'browser_sha256',
  'address_sha256',
  'page_token_sha256',
  'known_browser_sha256',
  'networks',
  'fingerprint',
  'lease_token',
  'subject_key',
  'mailbox',
  'filter_path',
];

/** In SQL: rows `r` that an export leaves out. A mail to sign in is sealed and says only its link and code. */
const internalRows: Readonly<Record<string, string>> = {
  notice: `r.kind = 'sign_in_link'`,
};

/**
 * Reads everything that an account owns, in pages of at most 100 rows: the account, then each table in the order
 * of its key. Each page reads what is committed by then, so the export may or may not have changes that are made
 * while it runs. It leaves out leases and sealed secrets.
 * @throws DomainError not_found
 */
export async function* exportAccount(
  read: Read,
  accountId: string,
): AsyncGenerator<readonly ExportedRow[]> {
  const { id, name, createdAt } = await findAccount(read, accountId);
  yield [{ table: 'account', id, name, created_at: createdAt.toISOString() }];
  for (const table of ownedTables(read)) yield* pagesOf(read, table, id);
}

async function* pagesOf(
  read: Read,
  table: OwnedTable,
  accountId: string,
): AsyncGenerator<readonly ExportedRow[]> {
  const { name: tableName, columns, key, parts } = table;
  const shown = columns
    .filter(({ name }) => !internalColumns.includes(name))
    .map(({ name, type }) =>
      type === 'bytea' ? `convert_from(r.${name}, 'UTF8')::json as ${name}` : `r.${name}`,
    );

  if (tableName === 'delivery') shown.push(evidence);

  // Two statements, because the planner reads no range if the condition may be null.
  const pageOf = (name: string, part: string, after?: string) => ({
    name: `export-${name}-${tableName}-${parts.indexOf(part)}`,
    text: `select (select to_json(x) from (select ${shown.join(', ')}) x) as row,
                  array[${key.map((column) => `r.${column.name}::text`).join(', ')}] as place
             from "${tableName}" r
            where ${part} and not (${internalRows[tableName] ?? 'false'})
              and ${rowsOfAccount(table, { after })}
            order by ${orderInAccount(table)} limit ${pageSize}`,
  });

  for (const part of parts) {
    const next = pageOf('next', part, '$2');
    let rows = await read.sql<Page>(pageOf('first', part), [accountId]);
    while (rows.length > 0) {
      yield rows.map(({ row }) => ({ table: tableName, ...row }));
      if (rows.length < pageSize) break;
      rows = await read.sql<Page>(next, [accountId, rows.at(-1)?.place]);
    }
  }
}

/** Evidence has no column for the account: it belongs to a delivery. */
const evidence = `(select to_json(v) from delivery_evidence v where v.delivery_id = r.id) as evidence`;

interface Page {
  readonly row: Readonly<Record<string, unknown>>;
  readonly place: readonly string[];
}
