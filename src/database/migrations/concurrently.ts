import type { QueryRunner } from 'typeorm';

/**
 * Longer than other lock timeouts: no reader or writer waits behind this statement, and a retry
 * starts from the beginning.
 */
const lockTimeout = '60s';

/**
 * Runs a statement that builds or drops an index concurrently. It waits for transactions in flight,
 * and no session waits behind it.
 */
export async function concurrently(runner: QueryRunner, statement: string): Promise<void> {
  await runner.query(`set lock_timeout = '${lockTimeout}'`);
  try {
    await runner.query(statement);
  } finally {
    await runner.query('reset lock_timeout');
  }
}

/**
 * Builds an index, in place of what an interruption left half built.
 * @param definition its table and columns
 */
export async function indexConcurrently(
  runner: QueryRunner,
  index: string,
  definition: string,
): Promise<void> {
  await concurrently(runner, `drop index concurrently if exists ${index}`);
  await concurrently(runner, `create index concurrently ${index} on ${definition}`);
}

/**
 * Builds an index of a partitioned table: each partition's concurrently, then attached. A repetition
 * goes on where an interruption ended. The index is valid once all partitions have theirs.
 * @param index its name, which those of the partitions begin with
 * @param where which rows it holds; defaults to all
 */
export async function concurrentlyOnPartitions(
  runner: QueryRunner,
  index: string,
  table: string,
  columns: string,
  where?: string,
): Promise<void> {
  const keys = `(${columns})${where === undefined ? '' : ` where ${where}`}`;
  // PostgreSQL attaches the index of a partition that another process adds meanwhile.
  await runner.query(`create index if not exists ${index} on only ${table} ${keys}`);
  const partitions = (await runner.query(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = '${table}'::regclass
        and not exists (
          select from pg_inherits a join pg_index x on x.indexrelid = a.inhrelid
           where a.inhparent = '${index}'::regclass and x.indrelid = c.oid)
      order by c.relname`,
  )) as readonly { readonly name: string }[];
  for (const { name } of partitions) {
    const part = name.replace(table, index);
    await indexConcurrently(runner, part, `${name} ${keys}`);
    await runner.query(`alter index ${index} attach partition ${part}`);
  }
}
