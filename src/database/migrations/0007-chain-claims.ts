import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Bodies of events are UTF-8 by constraint, so that claims may read them as text: as bytes they
 * travel as hexadecimal, twice as long. Entries of chains that became due in the same millisecond are
 * kept apart in the index that claims read: an entry that stands for many rows stays until the last of them is gone, and every claim
 * reads past the rest.
 */
export class ChainClaims1764000007000 implements MigrationInterface {
  name = 'ChainClaims1764000007000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index chain_ready');
    await runner.query(`
      create index chain_ready on chain (lane, endpoint_id, due_at)
        with (deduplicate_items = off) where ready`);
    await runner.query(`
      alter table event add constraint event_body_check
        check (convert_from(body, 'UTF8') is not null)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table event drop constraint event_body_check');
    await runner.query('alter index chain_ready reset (deduplicate_items)');
  }
}
