import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores for which endpoint alone an event was published, and adds the lane of recoveries. */
export class Recoveries1795410000000 implements MigrationInterface {
  name = 'Recoveries1795410000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table event add column endpoint_id text collate "C"');
    // The narrower check that it replaces holds for the rows there are, so none need be read.
    await runner.query(`alter table pending_delivery
      drop constraint pending_delivery_lane_check,
      add constraint pending_delivery_lane_check
        check (lane in ('live', 'replay', 'recovery', 'isolated')) not valid`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table event drop column endpoint_id');
    await runner.query(`alter table pending_delivery
      drop constraint pending_delivery_lane_check,
      add constraint pending_delivery_lane_check
        check (lane in ('live', 'replay', 'isolated')) not valid`);
  }
}
