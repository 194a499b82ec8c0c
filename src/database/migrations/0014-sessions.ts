import type { MigrationInterface, QueryRunner } from 'typeorm';
import { indexConcurrently } from './concurrently.js';

/**
 * Sessions of members in the dashboard, and the links that open them. A session ends with its member
 * and with a change of the member's role, also by hand. API processes drop the viewer that they keep.
 * Each step can be repeated, because an index cannot be built concurrently in a transaction.
 */
export class Sessions1795438800000 implements MigrationInterface {
  name = 'Sessions1795438800000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
    await indexConcurrently(runner, 'member_by_email', 'member (lower(email collate "C"))');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger member_role_ends_sessions on member');
    await runner.query('drop function end_sessions_of_member()');
    await runner.query('drop table sign_in_link, session');
    await runner.query('drop index member_by_email');
  }
}

const statements = [
  // A session in use changes each minute; free space keeps its versions on one page.
  `create table if not exists session (
    id text collate "C" primary key,
    account_id text collate "C" not null constraint session_account_id_fkey references account,
    member_id text collate "C" not null
      constraint session_member_id_fkey references member on delete cascade,
    token_sha256 bytea not null unique,
    user_agent text not null,
    created_at timestamptz(3) not null,
    last_used_at timestamptz(3) not null
  ) with (fillfactor = 80)`,
  'create index if not exists session_by_member on session (member_id, id)',
  'create index if not exists session_by_account on session (account_id, id)',
  'create index if not exists session_by_age on session (created_at)',
  `create or replace trigger session_deleted after delete on session
    for each row execute function notify_credential_change()`,
  `create or replace function end_sessions_of_member() returns trigger
    language plpgsql as $$
    begin
      delete from session where member_id = new.id;
      return null;
    end $$`,
  `create or replace trigger member_role_ends_sessions after update on member
    for each row when (old.role is distinct from new.role)
    execute function end_sessions_of_member()`,
  // The link of an address without a member has neither account nor member: it opens nothing.
  `create table if not exists sign_in_link (
    id text collate "C" primary key,
    account_id text collate "C" constraint sign_in_link_account_id_fkey references account,
    member_id text collate "C"
      constraint sign_in_link_member_id_fkey references member on delete cascade,
    token_sha256 bytea not null unique,
    code_sha256 bytea,
    browser_sha256 bytea,
    address_sha256 bytea,
    tries smallint not null default 0,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    used_at timestamptz(3),
    constraint sign_in_link_member_check check ((account_id is null) = (member_id is null)),
    constraint sign_in_link_browser_check check (
      (browser_sha256 is null) = (code_sha256 is null)
      and (browser_sha256 is null) = (address_sha256 is null))
  )`,
  'create index if not exists sign_in_link_by_browser on sign_in_link (browser_sha256, id)',
  'create index if not exists sign_in_link_by_address on sign_in_link (address_sha256, created_at)',
  'create index if not exists sign_in_link_by_account on sign_in_link (account_id, id)',
  'create index if not exists sign_in_link_by_member on sign_in_link (member_id)',
  'create index if not exists sign_in_link_by_age on sign_in_link (created_at)',
];
