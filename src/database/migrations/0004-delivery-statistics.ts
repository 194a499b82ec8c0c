import type { MigrationInterface, QueryRunner } from 'typeorm';
import { concurrentlyOnPartitions } from './concurrently.js';

/**
 * Questions about deliveries:
 * - what each recorded batch adds to the statistics, and the hours and days it is folded into. A
 *   delta has no index and is never updated, so recording waits for no lock of it;
 * - records are found by endpoint and status, and by type. The keys are hashes, a third as long as
 *   the texts, because each record writes them (ADR 0031).
 * Each step can be repeated, because the indexes cannot be built in a transaction.
 */
export class DeliveryStatistics1795402800000 implements MigrationInterface {
  name = 'DeliveryStatistics1795402800000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // No truncation by vacuum: it locks out those who record.
    await runner.query(`create table if not exists delivery_statistics_delta (
      hour timestamptz(3) not null,
      success integer,
      failed integer,
      abandoned integer,
      retries integer,
      endpoint_id text collate "C" not null,
      durations_ms integer[]
    ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
            autovacuum_vacuum_cost_delay = 0, vacuum_truncate = off)`);
    // The latest hour of an endpoint changes each minute; free space keeps its versions on one page.
    await runner.query(`create table if not exists delivery_statistics (
      account_id text collate "C" not null,
      endpoint_id text collate "C" not null,
      span text collate "C" not null,
      starts_at timestamptz(3) not null,
      success integer not null,
      failed integer not null,
      abandoned integer not null,
      retries integer not null,
      buckets smallint[] not null,
      times integer[] not null,
      primary key (account_id, endpoint_id, span, starts_at),
      constraint delivery_statistics_span_check check (span in ('hour', 'day'))
    ) with (fillfactor = 80)`);
    await runner.query(
      'create index if not exists delivery_statistics_by_age on delivery_statistics (span, starts_at)',
    );
    for (const [index, columns] of Object.entries(indexes)) {
      await concurrentlyOnPartitions(runner, index, 'delivery', columns);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index ${Object.keys(indexes).join(', ')}`);
    await runner.query('drop table delivery_statistics, delivery_statistics_delta');
  }
}

const indexes = {
  delivery_by_endpoint: 'hashtextextended(endpoint_id || status, 0), id',
  delivery_by_type: 'hashtextextended(account_id || event_type, 0), id',
};
