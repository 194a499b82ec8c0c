import type { MigrationInterface, QueryRunner } from 'typeorm';
import { refuseWhile } from './refuse-while.js';

/**
 * Restricted keys have a level of their own for each area. Processes of the previous release do not know
 * this level and refuse such a key every operation; all other keys mean to them what they meant.
 */
export class KeyLevels1764000019000 implements MigrationInterface {
  name = 'KeyLevels1764000019000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table credential
        add column webhooks_level text,
        add column orders_level text,
        drop constraint credential_level_check,
        add constraint credential_level_check check (level in ('full', 'read', 'restricted')),
        add constraint credential_areas_check check (
          (level = 'restricted') = (webhooks_level is not null)
          and (level = 'restricted') = (orders_level is not null)
          and webhooks_level in ('none', 'read', 'write')
          and orders_level in ('none', 'read', 'write'))`);
  }

  /** Revoked keys stay listed, as read-only ones. */
  async down(runner: QueryRunner): Promise<void> {
    await refuseWhile(
      runner,
      `select id from credential where level = 'restricted' and revoked_at is null`,
      'restricted keys are in use: revoke them first, "npm run admin -- credentials list" names them',
    );
    await runner.query(`
      alter table credential drop constraint credential_areas_check,
        drop column webhooks_level, drop column orders_level`);
    await runner.query(`update credential set level = 'read' where level = 'restricted'`);
    await runner.query(`
      alter table credential drop constraint credential_level_check,
        add constraint credential_level_check check (level in ('full', 'read'))`);
  }
}
