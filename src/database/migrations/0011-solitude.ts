import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One row: whose turn it is to run chains alone, so that one process of all does at a time. */
export class Solitude1764000011000 implements MigrationInterface {
  name = 'Solitude1764000011000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table solitude (
        id smallint primary key check (id = 1),
        holder bigint,
        until timestamptz(3) not null
      )`);
    await runner.query(`insert into solitude (id, until) values (1, '-infinity')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table solitude');
  }
}
