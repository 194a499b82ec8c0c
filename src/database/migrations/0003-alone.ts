import type { MigrationInterface, QueryRunner } from 'typeorm';
import { refuseWhileCancelling } from './refuse-while.js';

/**
 * Chains that processes died with are run alone and parked in the end; endpoints remember that more
 * of their chains are to be cancelled than one transaction cancels.
 */
export class Alone1764000003000 implements MigrationInterface {
  name = 'Alone1764000003000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table chain drop constraint chain_lane_check,
        add constraint chain_lane_check check (lane in ('live', 'replay', 'alone'))`);
    await runner.query(`create index chain_parked on chain (id) where parked_reason is not null`);
    await runner.query(`
      alter table endpoint
        add column cancelling_since timestamptz(3), add column cancel_before timestamptz(3)`);
    await runner.query(
      `create index endpoint_cancelling on endpoint (id) where cancelling_since is not null`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await refuseWhileCancelling(runner);
    await runner.query(
      `alter table endpoint drop column cancelling_since, drop column cancel_before`,
    );
    await runner.query(`drop index chain_parked`);
    await runner.query(`update chain set lane = 'live' where lane = 'alone'`);
    await runner.query(`
      alter table chain drop constraint chain_lane_check,
        add constraint chain_lane_check check (lane in ('live', 'replay'))`);
  }
}
