import type { MigrationInterface, QueryRunner } from 'typeorm';
import { concurrently } from './concurrently.js';

/**
 * Records are found by account and id, so the key of both lists them, too, and a record pays for one
 * index less. Of two indexes that seem to cost the same PostgreSQL takes the younger one, so the one by
 * status is made anew: without statistics it would not be used any more. Each partition's indexes
 * are built while others write to it; the exchange is one short transaction. Run again after an
 * interruption, it goes on with what is built.
 */
export class DeliveryKey1764000014000 implements MigrationInterface {
  name = 'DeliveryKey1764000014000';
  /** No index is built concurrently within a transaction; `up` begins one for the exchange. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    if (await isDone(runner)) return;
    for (const partition of await partitions(runner)) {
      await build(runner, 'unique index', keyOf(partition), `${partition} (account_id, id)`);
      await build(runner, 'index', statusOf(partition), `${partition} ${byStatus}`);
    }
    await runner.startTransaction();
    try {
      await exchange(runner);
      await runner.commitTransaction();
    } catch (error) {
      await runner.rollbackTransaction();
      throw error;
    }
  }

  /** Builds the indexes of all partitions in the caller's transaction: nobody reads or writes meanwhile. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index delivery_by_status');
    await runner.query(`
      alter table delivery drop constraint delivery_pkey,
        add constraint delivery_pkey primary key (id)`);
    await runner.query('create index delivery_by_account on delivery (account_id, id desc)');
    await runner.query(`create index delivery_by_status on delivery ${byStatus}`);
  }
}

const byStatus = '(account_id, status, id desc)';
const keyOf = (partition: string) => `${partition}_key`;
const statusOf = (partition: string) => `${partition}_by_status`;

/** The exchange is committed before the migration is noted: an interruption may lie between. */
async function isDone(runner: QueryRunner): Promise<boolean> {
  const keys = (await runner.query(`
    select from pg_constraint
     where conrelid = 'delivery'::regclass and contype = 'p' and cardinality(conkey) = 2`)) as unknown[];
  return keys.length > 0;
}

async function partitions(runner: QueryRunner): Promise<string[]> {
  const rows = (await runner.query(`
    select inhrelid::regclass::text as name from pg_inherits
     where inhparent = 'delivery'::regclass order by 1`)) as { name: string }[];
  return rows.map(({ name }) => name);
}

/** Builds it unless it is there; what an interruption left half built is of no use. */
async function build(runner: QueryRunner, kind: string, name: string, on: string): Promise<void> {
  const broken = (await runner.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [name],
  )) as unknown[];
  if (broken.length > 0) await concurrently(runner, `drop index concurrently ${name}`);
  await concurrently(runner, `create ${kind} concurrently if not exists ${name} on ${on}`);
}

/**
 * The indexes of the table take those that are built; for a partition made since, which is empty, they
 * build their own.
 */
async function exchange(runner: QueryRunner): Promise<void> {
  await runner.query('alter table delivery drop constraint delivery_pkey');
  await runner.query('drop index if exists delivery_by_account');
  await runner.query('drop index delivery_by_status');
  for (const name of await partitions(runner)) {
    const built = (await runner.query('select from pg_index where indexrelid = to_regclass($1)', [
      keyOf(name),
    ])) as unknown[];
    if (built.length === 0) continue;
    await runner.query(
      `alter table ${name} add constraint ${name}_pkey primary key using index ${keyOf(name)}`,
    );
  }
  await runner.query(
    'alter table delivery add constraint delivery_pkey primary key (account_id, id)',
  );
  await runner.query(`create index delivery_by_status on delivery ${byStatus}`);
}
