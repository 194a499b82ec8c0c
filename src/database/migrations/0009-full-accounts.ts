import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts whose pending deliveries have reached the limit; usually none. */
export class FullAccounts1795420800000 implements MigrationInterface {
  name = 'FullAccounts1795420800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table full_account (
      account_id text collate "C" primary key,
      pending bigint not null,
      since timestamptz(3) not null
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table full_account');
  }
}
