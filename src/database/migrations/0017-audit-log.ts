import type { MigrationInterface, QueryRunner } from 'typeorm';
import { indexConcurrently } from './concurrently.js';

/**
 * The audit log: one row for each change that a person or a program made. A trigger refuses to change
 * rows, and to delete them outside the purge and erasures, which say so in their statement. Two indexes
 * list the people and the keys of an account, without dashboard tokens and the members made for them.
 * Each step can be repeated, because an index cannot be built concurrently in a transaction.
 */
export class AuditLog1795449600000 implements MigrationInterface {
  name = 'AuditLog1795449600000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
    for (const [index, definition] of Object.entries(indexes))
      await indexConcurrently(runner, index, definition);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index member_people, credential_keys');
    await runner.query('drop table audit_entry');
    await runner.query('drop function refuse_audit_change()');
  }
}

const statements = [
  `create table if not exists audit_entry (
    id text collate "C" primary key,
    account_id text collate "C" not null,
    action text collate "C" not null,
    resource_id text collate "C",
    actor_kind text collate "C" not null,
    credential_id text collate "C",
    member_id text collate "C",
    member_email text,
    address text,
    user_agent text,
    changes jsonb not null,
    created_at timestamptz(3) not null,
    constraint audit_entry_actor_kind_check check (
      actor_kind in ('session', 'dashboard_token', 'api_key', 'operator', 'command'))
  )`,
  'create index if not exists audit_entry_by_account on audit_entry (account_id, id)',
  `create or replace function refuse_audit_change() returns trigger
    language plpgsql as $$
    begin
      if tg_op = 'DELETE' and current_setting('signalpost.audit_deletes', true) = 'on' then
        return old;
      end if;
      raise exception 'The audit log is append-only.' using errcode = 'restrict_violation';
    end $$`,
  `create or replace trigger audit_entry_unchanged before update or delete on audit_entry
    for each row execute function refuse_audit_change()`,
  `create or replace trigger audit_entry_kept before truncate on audit_entry
    for each statement execute function refuse_audit_change()`,
];

const indexes = {
  member_people: `member (account_id, id) where email not like '%@acc-%.invalid'`,
  credential_keys: `credential (account_id, id)
    where kind in ('live', 'legacy') and revoked_at is null`,
};
