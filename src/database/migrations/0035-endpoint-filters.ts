import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which events an endpoint gets, and whether an account has an endpoint with a filter. Processes of the release before
 * send such an endpoint all events.
 */
export class EndpointFilters1795514400000 implements MigrationInterface {
  name = 'EndpointFilters1795514400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table account add column has_filters boolean');
    await runner.query(`alter table endpoint
      add column filter text,
      add column filter_path jsonpath,
      add column filter_changed_at timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table endpoint
      drop column filter, drop column filter_path, drop column filter_changed_at`);
    await runner.query('alter table account drop column has_filters');
  }
}
