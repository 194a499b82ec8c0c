import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What ends access. An erased account is notified as a revoked credential is.
 */
export class Revocations1795489200000 implements MigrationInterface {
  name = 'Revocations1795489200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create trigger account_erased after update of erased_at on account
      for each row when (old.erased_at is distinct from new.erased_at)
      execute function notify_credential_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger account_erased on account');
  }
}
