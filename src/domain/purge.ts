import type { Statement, Tx } from './tx.js';

/** Deletes at most `limit` rows past their retention. Returns how many it deleted. */
export type Purge = (tx: Tx, limit: number) => Promise<number>;

/**
 * Makes the purge of the rows of a table whose `column` is `age` or more ago, oldest first. It skips
 * rows that another transaction has locked.
 * @param age as PostgreSQL reads an interval: `40 days`
 */
export function purgeOf(table: string, column: string, age = '0'): Purge {
  return purgeBy({
    name: `${table}_purge_${column}`,
    text: `
    delete from ${table} where ctid = any (array(
      select p.ctid from ${table} p where p.${column} <= now() - interval '${age}'
       order by p.${column} limit $1 for update skip locked))
    returning true as purged`,
  });
}

/** Makes a purge of a statement that deletes at most `$1` rows and returns one row for each. */
export function purgeBy(statement: Statement): Purge {
  return async (tx, limit) => (await tx.sql(statement, [limit])).length;
}
