import type { Database } from '../../src/database/database.js';
import { ownedTables } from '../../src/domain/account/owned-tables.js';
import { runErasureStep } from '../../src/domain/erasure/run-step.js';
import type { TestDatabase } from './database.js';

/** Searches the whole database, all values as text. @returns the tables with `marker`, in any case */
export async function tablesWith(test: TestDatabase, marker: string): Promise<string[]> {
  const tables = await test.query<{ name: string; values: string }>(
    `select c.relname as name,
            string_agg(format(case when a.atttypid = 'bytea'::regtype then 'encode(%I, ''escape'')'
                                   else '%I::text' end, a.attname), ', ') as values
       from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by 1 order by 1`,
  );

  const found: string[] = [];

  for (const { name, values } of tables) {
    const [row] = await test.query<{ found: boolean }>(
      `select exists (select from "${name}"
                       where position(lower($1) in lower(concat_ws(' ', ${values}))) > 0) as found`,
      [marker],
    );
    if (row?.found === true) found.push(name);
  }

  return found;
}

/** Counts the rows that an account has, by table; tables without one are left out. */
export async function rowsOf(
  { read }: Pick<Database, 'read'>,
  account: string,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name } of ownedTables(read)) {
    const text = `select count(*)::int as count from "${name}" where account_id = $1`;
    const [row] = await read.sql<{ count: number }>({ name: `test_count_${name}`, text }, [
      account,
    ]);
    if (row && row.count > 0) counts[name] = row.count;
  }
  return counts;
}

/** Returns a hash of the rows that an account has, by table. */
export async function contentsOf(
  { read }: Pick<Database, 'read'>,
  account: string,
): Promise<Record<string, string | null>> {
  const hashes: Record<string, string | null> = {};
  for (const { name } of ownedTables(read)) {
    const text = `select md5(string_agg(r::text, ' ' order by r::text)) as hash
                    from "${name}" r where account_id = $1`;
    const [row] = await read.sql<{ hash: string | null }>({ name: `test_contents_${name}`, text }, [
      account,
    ]);
    hashes[name] = row?.hash ?? null;
  }
  return hashes;
}

/** Runs all steps of an erasure. Its last pass does not wait for what was in progress at the start. */
export async function runErasure({ transact }: Database, id: string): Promise<void> {
  for (let steps = 0; steps < 1_000; steps += 1) {
    if ((await runErasureStep(transact, { id, lastPassAfterMs: 0 }))?.completed) return;
  }
  throw new Error(`${id} does not end.`);
}

/** The statement with which a worker of 2.0.0 locks the next step. */
export const lockOf200 = `
    select id, account_id as "accountId", kind, email, include_invoices as "includeInvoices", stage, place,
           pass_started_at as "passStartedAt", found_in_pass as "foundInPass", counts, created_at as "createdAt"
      from erasure r
     where r.status = 'running' and r.next_step_at <= now() and ($1::text is null or r.id = $1)
     order by r.next_step_at limit 1 for update skip locked`;
