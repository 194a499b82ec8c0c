import type { MigrationInterface, QueryRunner } from 'typeorm';
import { concurrently } from './concurrently.js';

/**
 * Claims walk accounts first, then their endpoints: the index of ready chains begins with the account.
 * It is built while workers go on, and takes the name of the old one when that is gone. Run again after
 * an interruption, it goes on with what is there. Claims of the version before still find their chains by
 * it, with a sort of all that are ready.
 */
export class ChainByAccount1764000016000 implements MigrationInterface {
  name = 'ChainByAccount1764000016000';
  /** No index is built concurrently within a transaction. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await exchange(runner);
  }

  /** Builds the index in the caller's transaction: nobody writes meanwhile. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index chain_ready');
    await runner.query(
      `create index chain_ready on chain (lane, endpoint_id, due_at)
         with (deduplicate_items = off) where ready`,
    );
  }
}

const columns = 'lane, account_id, endpoint_id, due_at';

async function exchange(runner: QueryRunner): Promise<void> {
  const [index] = (await runner.query(
    `select pg_get_indexdef(indexrelid) as definition from pg_index
      where indexrelid = to_regclass('chain_ready')`,
  )) as { definition: string }[];
  if (index?.definition.includes(`(${columns})`)) return;
  const broken = (await runner.query(
    `select from pg_index where indexrelid = to_regclass('chain_ready_next') and not indisvalid`,
  )) as unknown[];
  if (broken.length > 0) await concurrently(runner, `drop index concurrently chain_ready_next`);
  await concurrently(
    runner,
    `create index concurrently if not exists chain_ready_next on chain (${columns})
       with (deduplicate_items = off) where ready`,
  );
  await concurrently(runner, `drop index concurrently if exists chain_ready`);
  await runner.query('alter index chain_ready_next rename to chain_ready');
}
