import type { EntityMetadata } from 'typeorm';
import type { Read } from '../tx.js';

/** A column of a key, with its type in SQL. */
export interface KeyColumn {
  readonly name: string;
  readonly type: string;
}

/** A table whose rows belong to accounts. */
export interface OwnedTable {
  readonly name: string;
  readonly columns: readonly KeyColumn[];
  /** With the account it is an index, by which rows are read without those before them. */
  readonly key: readonly KeyColumn[];
  /** In SQL: conditions that share its rows `r`, where each part has an index of its own. */
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
