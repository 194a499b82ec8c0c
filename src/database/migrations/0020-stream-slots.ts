import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The open streams of each account, by the API process that serves them (ADR 0049). */
export class StreamSlots1795460400000 implements MigrationInterface {
  name = 'StreamSlots1795460400000';

  async up(runner: QueryRunner): Promise<void> {
    // A row changes every five seconds; free space keeps its versions on one page.
    await runner.query(`create table stream_process (
      id text collate "C" primary key,
      seen_at timestamptz(3) not null
    ) with (fillfactor = 50)`);
    await runner.query(`create table stream_slot (
      account_id text collate "C" not null,
      process_id text collate "C" not null
        constraint stream_slot_process_id_fkey references stream_process on delete cascade,
      id integer not null,
      primary key (account_id, process_id, id)
    )`);
    await runner.query('create index stream_slot_by_process on stream_slot (process_id, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table stream_slot');
    await runner.query('drop table stream_process');
  }
}
