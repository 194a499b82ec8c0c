import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The portal: its settings, the links that open it, and its sessions. A session ends with its member
 * and with a change of the member's role, also by hand. The audit log gets a kind of actor; its old
 * entries need no check.
 */
export class Portal1795474800000 implements MigrationInterface {
  name = 'Portal1795474800000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
    await runner.query(endSessions(['session', 'portal_session']));
    await runner.query(actorKinds([...earlierKinds, 'portal']));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(endSessions(['session']));
    // Entries of the portal stay, and are not checked.
    await runner.query(actorKinds(earlierKinds));
    await runner.query('drop table portal_session, portal_link, portal_settings');
  }
}

const earlierKinds = ['session', 'dashboard_token', 'api_key', 'operator', 'command'];

function endSessions(tables: readonly string[]): string {
  return `create or replace function end_sessions_of_member() returns trigger
    language plpgsql as $$
    begin
      ${tables.map((table) => `delete from ${table} where member_id = new.id;`).join('\n      ')}
      return null;
    end $$`;
}

function actorKinds(kinds: readonly string[]): string {
  const list = kinds.map((kind) => `'${kind}'`).join(', ');
  return `alter table audit_entry drop constraint audit_entry_actor_kind_check,
    add constraint audit_entry_actor_kind_check check (actor_kind in (${list})) not valid`;
}

const statements = [
  `create table portal_settings (
    account_id text collate "C" primary key
      constraint portal_settings_account_id_fkey references account,
    origins jsonb not null,
    theme jsonb not null,
    logo text,
    updated_at timestamptz(3) not null
  )`,
  `create table portal_link (
    id text collate "C" primary key,
    account_id text collate "C" not null constraint portal_link_account_id_fkey references account,
    member_id text collate "C"
      constraint portal_link_member_id_fkey references member on delete cascade,
    role text,
    token_sha256 bytea not null unique,
    theme jsonb,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    used_at timestamptz(3),
    constraint portal_link_holder_check check ((member_id is null) <> (role is null))
  )`,
  'create index portal_link_by_account on portal_link (account_id, id)',
  'create index portal_link_by_member on portal_link (member_id)',
  'create index portal_link_by_age on portal_link (created_at)',
  // A session in use changes each minute; free space keeps its versions on one page.
  `create table portal_session (
    id text collate "C" primary key,
    account_id text collate "C" not null
      constraint portal_session_account_id_fkey references account,
    link_id text collate "C" not null,
    member_id text collate "C"
      constraint portal_session_member_id_fkey references member on delete cascade,
    role text,
    token_sha256 bytea not null unique,
    page_token_sha256 bytea unique,
    theme jsonb,
    user_agent text not null,
    created_at timestamptz(3) not null,
    last_used_at timestamptz(3) not null,
    constraint portal_session_holder_check check ((member_id is null) <> (role is null))
  ) with (fillfactor = 80)`,
  'create index portal_session_by_account on portal_session (account_id, id)',
  'create index portal_session_by_member on portal_session (member_id)',
  'create index portal_session_by_age on portal_session (created_at)',
  `create trigger portal_session_deleted after delete on portal_session
    for each row execute function notify_credential_change()`,
];
