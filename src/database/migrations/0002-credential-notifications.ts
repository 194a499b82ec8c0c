import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Notifies API processes of each change that can make a viewer they keep out of date, also of one
 * made by hand. PostgreSQL sends equal notifications of one transaction once.
 */
export class CredentialNotifications1795395600000 implements MigrationInterface {
  name = 'CredentialNotifications1795395600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create function notify_credential_change() returns trigger
      language plpgsql as $$
      begin
        perform pg_notify('signalpost_credential', '');
        return null;
      end $$`);
    await runner.query(`create trigger credential_updated after update on credential
      for each row when (old is distinct from new) execute function notify_credential_change()`);
    await runner.query(`create trigger credential_deleted after delete on credential
      for each row execute function notify_credential_change()`);
    await runner.query(`create trigger member_role_updated after update on member
      for each row when (old.role is distinct from new.role)
      execute function notify_credential_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger member_role_updated on member');
    await runner.query('drop trigger credential_deleted on credential');
    await runner.query('drop trigger credential_updated on credential');
    await runner.query('drop function notify_credential_change()');
  }
}
