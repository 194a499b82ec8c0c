import type { Statement, Tx } from './tx.js';

/** Deletes at most `limit` rows whose retention has ended. Returns how many it deleted. */
export type Purge = (tx: Tx, limit: number) => Promise<number>;

/**
 * Returns the purge of rows whose time in `column` is at least `age` ago, oldest first. It skips rows that another
 * transaction has locked.
 * @param age an interval in PostgreSQL's syntax: `40 days`
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

/** Returns the purge that runs a statement, which deletes at most `$1` rows and returns one row for each. */
export function purgeBy(statement: Statement): Purge {
  return async (tx, limit) => (await tx.sql(statement, [limit])).length;
}
