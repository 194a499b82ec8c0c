import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Statistics of deliveries: what each recorded batch adds, and the hours and days it is folded into.
 * A delta has no index and is never updated, so recording waits for no lock of it.
 */
export class DeliveryStatistics1795402800000 implements MigrationInterface {
  name = 'DeliveryStatistics1795402800000';

  async up(runner: QueryRunner): Promise<void> {
    // No truncation by vacuum: it locks out those who record.
    await runner.query(`create table delivery_statistics_delta (
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
    await runner.query(`create table delivery_statistics (
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
      'create index delivery_statistics_by_age on delivery_statistics (span, starts_at)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table delivery_statistics, delivery_statistics_delta');
  }
}
