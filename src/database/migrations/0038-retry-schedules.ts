import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The retry schedule that an endpoint has chosen. */
export class RetrySchedules1795525200000 implements MigrationInterface {
  name = 'RetrySchedules1795525200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table endpoint add column retry_schedule text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table endpoint drop column retry_schedule');
  }
}
