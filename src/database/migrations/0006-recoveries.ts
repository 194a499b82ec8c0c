import type { MigrationInterface, QueryRunner } from 'typeorm';
import { concurrentlyOnPartitions } from './concurrently.js';

/**
 * Recoveries:
 * - events are found by account, delivery records by event;
 * - an event says for which endpoint alone it was published;
 * - an endpoint says since when it subscribes to types that it did not begin with.
 * Each step can be repeated, because the indexes cannot be built in a transaction.
 */
export class Recoveries1795410000000 implements MigrationInterface {
  name = 'Recoveries1795410000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table event add column if not exists endpoint_id text collate "C"');
    await runner.query('alter table endpoint add column if not exists subscribed_since jsonb');
    // The narrower check that it replaces holds for the rows there are, so none need be read.
    await runner.query(`alter table pending_delivery
      drop constraint if exists pending_delivery_lane_check,
      add constraint pending_delivery_lane_check
        check (lane in ('live', 'replay', 'recovery', 'isolated')) not valid`);
    for (const statement of recovery) await runner.query(statement);
    await concurrentlyOnPartitions(runner, 'event_by_account', 'event', 'account_id, id');
    await concurrentlyOnPartitions(runner, 'delivery_by_event', 'delivery', 'event_id');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index event_by_account, delivery_by_event');
    await runner.query('drop table recovery');
    await runner.query('alter table event drop column endpoint_id');
    await runner.query('alter table endpoint drop column subscribed_since');
    await runner.query(`alter table pending_delivery
      drop constraint pending_delivery_lane_check,
      add constraint pending_delivery_lane_check
        check (lane in ('live', 'replay', 'isolated')) not valid`);
  }
}

const recovery = [
  // A running one changes several times a second; its page keeps space for the next versions.
  `create table if not exists recovery (
    id text collate "C" primary key,
    account_id text collate "C" not null constraint recovery_account_id_fkey references account,
    endpoint_id text collate "C" not null,
    what text collate "C" not null
      constraint recovery_what_check check (what in ('failed', 'missed', 'both')),
    since timestamptz(3) not null,
    until timestamptz(3) not null,
    event_types text[],
    include_before boolean not null,
    rate_per_second integer not null
      constraint recovery_rate_per_second_check check (rate_per_second between 1 and 500),
    idempotency_key text not null,
    fingerprint bytea not null,
    status text collate "C" not null
      constraint recovery_status_check check (status in ('running', 'paused', 'completed', 'cancelled')),
    reason text collate "C",
    waits_for text collate "C",
    position text collate "C" not null,
    failed bigint not null default 0,
    missed bigint not null default 0,
    credited_at timestamptz(3) not null,
    next_step_at timestamptz(3) not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    ended_at timestamptz(3)
  ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`,
  `create unique index if not exists recovery_key on recovery (account_id, idempotency_key)`,
  `create index if not exists recovery_by_account on recovery (account_id, id desc)`,
  // At most one of an endpoint is active.
  `create unique index if not exists recovery_active on recovery (endpoint_id)
    where status in ('running', 'paused')`,
  `create index if not exists recovery_by_end on recovery (ended_at) where ended_at is not null`,
];
