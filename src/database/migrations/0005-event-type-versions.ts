import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Operators put event types of their own, with a JSON Schema for each version. */
export class EventTypeVersions1795406400000 implements MigrationInterface {
  name = 'EventTypeVersions1795406400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table event_type
      add column validation text not null default 'enforce'
        constraint event_type_validation_check check (validation in ('enforce', 'warn')),
      add column revision text not null default ''`);
    await runner.query(`create table event_type_version (
      event_type_id text collate "C" not null,
      version text collate "C" not null
        constraint event_type_version_version_check check (version ~ '^v[1-9][0-9]{0,2}$'),
      schema json not null,
      example json not null,
      primary key (event_type_id, version)
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table event_type_version');
    await runner.query('alter table event_type drop column revision, drop column validation');
  }
}
