import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The trace of the publisher, and which accounts send it to their receivers. */
export class Traceparent1795471200000 implements MigrationInterface {
  name = 'Traceparent1795471200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table event add column traceparent text collate "C"');
    await runner.query(
      'alter table account add column sends_traceparent boolean not null default false',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table account drop column sends_traceparent');
    await runner.query('alter table event drop column traceparent');
  }
}
