import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When each worker process last polled, so that others see whether one is alive. */
export class WorkerHeartbeats1795453200000 implements MigrationInterface {
  name = 'WorkerHeartbeats1795453200000';

  async up(runner: QueryRunner): Promise<void> {
    // A row changes every ten seconds; free space keeps its versions on one page.
    await runner.query(`create table worker_heartbeat (
      id text collate "C" primary key,
      roles text[] collate "C" not null,
      started_at timestamptz(3) not null,
      seen_at timestamptz(3) not null
    ) with (fillfactor = 50)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table worker_heartbeat');
  }
}
