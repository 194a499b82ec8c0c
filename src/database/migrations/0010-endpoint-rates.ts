import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rate limits of endpoints, and the next time at which a request to each may be sent. */
export class EndpointRates1795424400000 implements MigrationInterface {
  name = 'EndpointRates1795424400000';

  async up(runner: QueryRunner): Promise<void> {
    // Not validated, so it reads no row: the column is new.
    await runner.query(`alter table endpoint
      add column max_per_second smallint,
      add constraint endpoint_max_per_second_check
        check (max_per_second between 1 and 1000) not valid`);
    // Apart from the endpoint, whose row would change several times a second. Each page keeps space
    // for the next versions.
    await runner.query(`create table endpoint_rate (
      endpoint_id text collate "C" primary key,
      next_at timestamptz not null
    ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table endpoint_rate');
    await runner.query('alter table endpoint drop column max_per_second');
  }
}
