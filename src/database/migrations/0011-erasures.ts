import type { MigrationInterface, QueryRunner } from 'typeorm';
import { concurrently } from './concurrently.js';

/**
 * Erasures of accounts and of the personal data of buyers. They find the notices and the deleted
 * endpoints of an account by indexes, which cannot be built in a transaction: each step can be
 * repeated.
 */
export class Erasures1795428000000 implements MigrationInterface {
  name = 'Erasures1795428000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table account add column if not exists erased_at timestamptz(3)');
    for (const statement of tables) await runner.query(statement);
    for (const [name, index] of Object.entries(indexes)) {
      await concurrently(runner, `drop index concurrently if exists ${name}`);
      await concurrently(runner, `create index concurrently ${name} on ${index}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index ${Object.keys(indexes).join(', ')}`);
    await runner.query('drop table erasure_subject, erasure');
    await runner.query('alter table account drop column erased_at');
  }
}

const tables = [
  `create table if not exists erasure (
    id text collate "C" primary key,
    account_id text collate "C" not null constraint erasure_account_id_fkey references account,
    kind text collate "C" not null
      constraint erasure_kind_check check (kind in ('account', 'buyer')),
    requested_by text collate "C" not null,
    status text collate "C" not null
      constraint erasure_status_check check (status in ('running', 'completed')),
    email text,
    include_invoices boolean not null,
    stage text collate "C" not null,
    place text[],
    pass_started_at timestamptz(3) not null,
    found_in_pass bigint not null,
    counts jsonb not null,
    next_step_at timestamptz(3) not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    completed_at timestamptz(3),
    constraint erasure_completed_check check ((status = 'completed') = (completed_at is not null)),
    constraint erasure_email_check check ((email is not null) = (kind = 'buyer' and status = 'running'))
  )`,
  `create index if not exists erasure_by_account on erasure (account_id, id desc)`,
  `create index if not exists erasure_running on erasure (next_step_at) where status = 'running'`,
  `create table if not exists erasure_subject (
    erasure_id text collate "C" not null constraint erasure_subject_erasure_id_fkey references erasure,
    resource_id text collate "C" not null,
    primary key (erasure_id, resource_id)
  )`,
];

const indexes = {
  endpoint_deleted_by_account: 'endpoint (account_id, id) where deleted_at is not null',
  // Not by the account itself, and without the id: the planner would choose it over the indexes of
  // due notices, and over the primary key.
  notice_by_account: 'notice (hashtextextended(account_id, 0))',
};
