import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A claim changes no column that an index names, so that PostgreSQL writes the new version of the
 * chain beside the old one and no index entry: the end of a lease moves from the chain to a row for
 * everything that one call claimed. The pages of `chain` leave half of their room for that, because
 * what was written together is claimed together. Claims of the version before are left as they are:
 * neither ready nor parked, and due when their lease ends.
 */
export class Leases1764000008000 implements MigrationInterface {
  name = 'Leases1764000008000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table lease (
        token bigint primary key,
        until timestamptz(3) not null,
        chain_ids text[] collate "C" not null
      ) with (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0,
              autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0)`);
    // Ids of chance do not compress; most leases fit into a page as they are.
    await runner.query('alter table lease alter column chain_ids set storage external');
    await runner.query('create index lease_until on lease (until)');
    await runner.query('alter table chain set (fillfactor = 45)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      update chain c set ready = false, due_at = l.until
        from lease l where c.lease_token = l.token and c.ready`);
    await runner.query('alter table chain reset (fillfactor)');
    await runner.query('drop table lease');
  }
}
