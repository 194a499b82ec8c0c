import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How many bytes each pending delivery sends, so that workers count them with the rows. Deliveries that
 * are pending before this migration count no bytes.
 */
export class PendingBytes1795446000000 implements MigrationInterface {
  name = 'PendingBytes1795446000000';

  async up(runner: QueryRunner): Promise<void> {
    // Constant defaults: PostgreSQL rewrites no row.
    await runner.query(
      'alter table pending_delivery add column body_bytes integer not null default 0',
    );
    await runner.query(
      'alter table full_account add column pending_bytes bigint not null default 0',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table full_account drop column pending_bytes');
    await runner.query('alter table pending_delivery drop column body_bytes');
  }
}
