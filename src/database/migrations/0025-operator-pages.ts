import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the pages of operators need: sessions that belong to an internal credential, and the version of
 * each worker.
 */
export class OperatorPages1795478400000 implements MigrationInterface {
  name = 'OperatorPages1795478400000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table worker_heartbeat drop column version');
    await runner.query('drop table operator_session');
  }
}

const statements = [
  // A session in use changes each minute; free space keeps its versions on one page.
  `create table operator_session (
    id text collate "C" primary key,
    credential_id text collate "C" not null
      constraint operator_session_credential_id_fkey references credential on delete cascade,
    token_sha256 bytea not null unique,
    user_agent text not null,
    created_at timestamptz(3) not null,
    last_used_at timestamptz(3) not null
  ) with (fillfactor = 80)`,
  'create index operator_session_by_credential on operator_session (credential_id, id)',
  'create index operator_session_by_age on operator_session (created_at)',
  `create trigger operator_session_deleted after delete on operator_session
    for each row execute function notify_credential_change()`,
  // Workers of the release before write none.
  'alter table worker_heartbeat add column version text',
];
