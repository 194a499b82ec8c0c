// The tables whose rows belong to accounts, and how to read the rows of one account page by page. Exports and
// erasures take both from here. The tables come from the entities, so a new table needs no entry.
import type { EntityMetadata } from 'typeorm';
import type { Read } from '../transaction/tx.js';

/** A column of a key, with its type in SQL. */
export interface KeyColumn {
  readonly name: string;
  readonly type: string;
}

/** A table whose rows belong to accounts. */
export interface OwnedTable {
  readonly name: string;
  readonly columns: readonly KeyColumn[];
  /** Account and key together are an index, so a page of rows is read without those before it. */
  readonly key: readonly KeyColumn[];
  /** In SQL: conditions that divide its rows `r` into parts, each with its own index. */
  readonly parts: readonly string[];
}

/** Lists the tables whose rows belong to an account, by name. */
export function ownedTables({ manager }: Pick<Read, 'manager'>): OwnedTable[] {
  return manager.dataSource.entityMetadatas
    .filter(({ columns }) => columns.some(({ databaseName }) => databaseName === 'account_id'))
    .map(toOwnedTable)
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

function toOwnedTable({ tableName, columns, primaryColumns }: EntityMetadata): OwnedTable {
  const all = columns.map(({ databaseName: name, type }) => ({
    name,
    type: typeof type === 'string' ? type : 'text',
  }));
  const position = all.find(({ name, type }) => name === 'position' && type === 'integer');
  const primary = primaryColumns.map(({ databaseName }) => databaseName);
  const others = primary.filter((name) => name !== 'account_id');
  const names = position ? ['position'] : others.length > 0 ? others : primary;
  const key = names.flatMap((name) => all.filter((column) => column.name === name));
  const parts =
    tableName === 'endpoint' ? ['r.deleted_at is null', 'r.deleted_at is not null'] : ['true'];
  return { name: tableName, columns: all, key, parts };
}

/** Parameters such as `$2`. Each is the position of a row: its key as an array of texts. */
interface Places {
  readonly after?: string | undefined;
  readonly upTo?: string | undefined;
}

type TableKey = Pick<OwnedTable, 'name' | 'key'>;

/** This table has no index by account, because every publish would pay for one. */
const unindexed = 'pending_delivery';

/**
 * The index of this table begins with a hash of the account, so that the planner does not use it to find due notices.
 */
const hashed = 'notice';

/**
 * In SQL: the condition of the rows `r` of account `$1` between two positions. It compares account and key as one
 * row value instead of the account with `=`, because only the index of both has that order. Otherwise the planner
 * might walk the primary key through the rows of all accounts, if it believes that most belong to this one.
 */
export function rowsOfAccount(table: TableKey, { after, upTo }: Places = {}): string {
  const { name, key } = table;
  const columns = `(${orderInAccount(table)})`;
  const account = name === hashed ? 'hashtextextended($1, 0)' : '$1::text';
  const placeOf = (parameter: string) => {
    const values = key.map(({ type }, index) => `(${parameter}::text[])[${index + 1}]::${type}`);
    return `(${[...(name === unindexed ? [] : [account]), ...values].join(', ')})`;
  };

  const conditions = [
    ...(after === undefined ? [] : [`${columns} > ${placeOf(after)}`]),
    ...(upTo === undefined ? [] : [`${columns} <= ${placeOf(upTo)}`]),
  ];

  if (name === unindexed) return ['r.account_id = $1', ...conditions].join(' and ');

  if (after === undefined) conditions.push(`${accountOf(name)} >= ${account}`);
  if (upTo === undefined) conditions.push(`${accountOf(name)} <= ${account}`);
  if (name === hashed) conditions.push('r.account_id = $1');

  return conditions.join(' and ');
}

/** In SQL: the sort order of the rows `r` of an account. */
export function orderInAccount({ name, key }: TableKey): string {
  const columns = key.map((column) =>
    name === hashed ? `(r.${column.name} || '')` : `r.${column.name}`,
  );
  return [...(name === unindexed ? [] : [accountOf(name)]), ...columns].join(', ');
}

function accountOf(name: string): string {
  return name === hashed ? 'hashtextextended(r.account_id, 0)' : 'r.account_id';
}
