import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the step of an erasure is due, in a column that workers of the release before do not read. */
export class ErasuresOfThisRelease1795510800000 implements MigrationInterface {
  name = 'ErasuresOfThisRelease1795510800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table erasure add column due_at timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`update erasure set next_step_at = now() where next_step_at = 'infinity'`);
    await runner.query('alter table erasure drop column due_at');
  }
}
