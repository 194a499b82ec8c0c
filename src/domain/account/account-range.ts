import type { OwnedTable } from './owned-tables.js';

/** Parameters such as `$2`, each the place of a row: its key as an array of texts. */
interface Places {
  readonly after?: string | undefined;
  readonly upTo?: string | undefined;
}

type Walked = Pick<OwnedTable, 'name' | 'key'>;

/** It has no index by account, since every publish would pay for it. */
const unindexed = 'pending_delivery';

/** Its index begins with a hash, so that the searches for due notices do not choose it. */
const hashed = 'notice';

/**
 * In SQL: the condition of the rows `r` of account `$1` between two places. Account and key are
 * compared as a row and the account is not set equal, because only the index of both has that order.
 * The planner would walk the primary key through the rows of all accounts, if it believed that most
 * are of this one.
 */
export function rowsOfAccount(table: Walked, { after, upTo }: Places = {}): string {
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

/** In SQL: the order of the rows `r` of an account. */
export function orderInAccount({ name, key }: Walked): string {
  const columns = key.map((column) =>
    name === hashed ? `(r.${column.name} || '')` : `r.${column.name}`,
  );
  return [...(name === unindexed ? [] : [accountOf(name)]), ...columns].join(', ');
}

function accountOf(name: string): string {
  return name === hashed ? 'hashtextextended(r.account_id, 0)' : 'r.account_id';
}
