import type { MigrationInterface, QueryRunner } from 'typeorm';
import { concurrently } from './concurrently.js';

/**
 * Notices for one recipient are gathered into one mail: `mail_id` is the notice whose Message-ID the mail
 * has, `claimed_at` of that notice says when the mail was last taken to be sent. Workers of the previous
 * release send each notice on its own. Run again after an interruption, it builds its indexes anew.
 */
export class GatheredNotices1764000018000 implements MigrationInterface {
  name = 'GatheredNotices1764000018000';
  /** No index is built concurrently within a transaction. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table notice
        add column if not exists mail_id text collate "C",
        add column if not exists claimed_at timestamptz(3)`);
    await concurrently(runner, `drop index concurrently if exists notice_by_recipient`);
    await concurrently(
      runner,
      `create index concurrently notice_by_recipient
         on notice (kind, account_id, lower(recipient collate "C"), due_at)
         where sent_at is null and refused_at is null`,
    );
    await concurrently(runner, `drop index concurrently if exists notice_mails`);
    await concurrently(
      runner,
      `create index concurrently notice_mails on notice (lower(recipient collate "C"), claimed_at)
         where mail_id = id`,
    );
    await concurrently(runner, `drop index concurrently if exists notice_by_mail`);
    await concurrently(
      runner,
      `create index concurrently notice_by_mail on notice (mail_id)
         where sent_at is null and refused_at is null and mail_id is not null`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index if exists notice_by_recipient');
    await runner.query('alter table notice drop column mail_id, drop column claimed_at');
  }
}
