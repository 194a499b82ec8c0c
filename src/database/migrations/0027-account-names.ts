import type { MigrationInterface, QueryRunner } from 'typeorm';
import { concurrently } from './concurrently.js';

/** Finds accounts by the beginning of their names, for operators. */
export class AccountNames1795485600000 implements MigrationInterface {
  name = 'AccountNames1795485600000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index if exists account_by_name');
    await concurrently(
      runner,
      'create index concurrently account_by_name on account (lower(name) collate "C", id)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index account_by_name');
  }
}
