import type { MigrationInterface, QueryRunner } from 'typeorm';
import { indexConcurrently } from './concurrently.js';

/**
 * Which events an endpoint gets, and an index of the endpoints that have a filter: a publish looks for them. Processes
 * of the release before send such an endpoint all events. Each step can be repeated, because the index cannot be built
 * in a transaction.
 */
export class EndpointFilters1795514400000 implements MigrationInterface {
  name = 'EndpointFilters1795514400000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table endpoint
      add column if not exists filter text,
      add column if not exists filter_path jsonpath,
      add column if not exists filter_changed_at timestamptz(3)`);
    await indexConcurrently(
      runner,
      'endpoint_filtered',
      'endpoint (account_id) where filter_path is not null and deleted_at is null',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    // The index goes with its column.
    await runner.query(`alter table endpoint
      drop column filter, drop column filter_path, drop column filter_changed_at`);
  }
}
