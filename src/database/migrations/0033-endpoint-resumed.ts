import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When an endpoint last stopped holding up its own deliveries, for the lag. */
export class EndpointResumed1795507200000 implements MigrationInterface {
  name = 'EndpointResumed1795507200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table endpoint add column resumed_at timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table endpoint drop column resumed_at');
  }
}
