import type { MigrationInterface, QueryRunner } from 'typeorm';
import { refuseWhileCancelling } from './refuse-while.js';

/** Endpoints remember which types the chains that are to be cancelled are of. */
export class CancelTypes1764000012000 implements MigrationInterface {
  name = 'CancelTypes1764000012000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table endpoint add column cancel_types jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await refuseWhileCancelling(runner);
    await runner.query('alter table endpoint drop column cancel_types');
  }
}
