import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An offer is sent ten times at most; counts beyond that are of mails that nobody can take back. What
 * is owed is found by kind and account, because accounts take turns.
 */
export class Mails1764000010000 implements MigrationInterface {
  name = 'Mails1764000010000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('update offer set send_count = 10 where send_count > 10');
    await runner.query(checked('send_count between 0 and 10'));
    await runner.query('drop index notice_due');
    await runner.query(dueBy('kind, account_id, due_at'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(checked('send_count >= 0'));
    await runner.query('drop index notice_due');
    await runner.query(dueBy('due_at'));
  }
}

const checked = (count: string) =>
  `alter table offer drop constraint offer_sent_check,
     add constraint offer_sent_check check ((send_count > 0) = (sent_at is not null) and ${count})`;

const dueBy = (columns: string) =>
  `create index notice_due on notice (${columns}) where sent_at is null and refused_at is null`;
