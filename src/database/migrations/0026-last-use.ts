import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells when a credential was used last. Its use makes no viewer that a process keeps out of date. */
export class LastUse1795482000000 implements MigrationInterface {
  name = 'LastUse1795482000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table credential add column last_used_at timestamptz(3)');
    await runner.query('drop trigger credential_updated on credential');
    // The columns that decide what a credential may do, and for whom.
    await runner.query(`create trigger credential_updated
      after update of account_id, member_id, kind, level, webhooks_level, orders_level, token_sha256,
                      expires_at, revoked_at on credential
      for each row when (old is distinct from new) execute function notify_credential_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger credential_updated on credential');
    await runner.query('alter table credential drop column last_used_at');
    await runner.query(`create trigger credential_updated after update on credential
      for each row when (old is distinct from new) execute function notify_credential_change()`);
  }
}
