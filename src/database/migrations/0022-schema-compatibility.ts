import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which older versions may run on this schema (ADR 0052). */
export class SchemaCompatibility1795467600000 implements MigrationInterface {
  name = 'SchemaCompatibility1795467600000';

  async up(runner: QueryRunner): Promise<void> {
    // 0021 adds it without reading the rows. Reading them under the lock of this statement lets others write.
    await runner.query('alter table sign_in_link validate constraint sign_in_link_code_check');
    // The only row.
    await runner.query(`create table schema_compatibility (
      id boolean primary key default true constraint schema_compatibility_id_check check (id),
      oldest text collate "C" not null
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table schema_compatibility');
  }
}
