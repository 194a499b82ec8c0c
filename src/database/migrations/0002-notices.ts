import type { MigrationInterface, QueryRunner } from 'typeorm';
import { refuseWhile } from './refuse-while.js';

/**
 * A notice holds what its message needs instead of the message, and the state of its sending.
 * Notices that are stored already are kept and owed.
 */
export class Notices1764000002000 implements MigrationInterface {
  name = 'Notices1764000002000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await refuseWhile(
      runner,
      'select id from notice where sent_at is null and refused_at is null',
      'notices are owed: let a worker with the role notify send them first',
    );
    await runner.query(`
      drop table notice;
      create table notice (
        id text collate "C" primary key,
        account_id text collate "C" not null,
        endpoint_id text collate "C" not null references endpoint,
        recipient text not null,
        subject text not null,
        body text not null,
        message_id text not null unique,
        created_at timestamptz(3) not null,
        due_at timestamptz(3) not null,
        attempts integer not null default 0,
        sent_at timestamptz(3)
      );
      create index notice_due on notice (due_at) where sent_at is null`);
  }
}

const statements = [
  `alter table notice drop constraint notice_endpoint_id_fkey`,
  `alter table notice rename column endpoint_id to about_id`,
  `alter table notice
    add column kind text collate "C" not null default 'endpoint_disabled',
    add column data jsonb,
    add column lease_token bigint,
    add column last_error text,
    add column refused_at timestamptz(3)`,
  String.raw`update notice set data = jsonb_build_object(
      'url', substr(subject, length('Webhook endpoint disabled: ') + 1),
      'description', null,
      'reason', substring(body from '\nReason: (\w+)'),
      'disabledAt', substring(body from '\nTime: (\S+)'),
      'lastStatus', substring(body from '\nLast response status: (\d+)')::int)`,
  `alter table notice
    alter column kind drop default,
    alter column data set not null,
    drop column subject,
    drop column body`,
  `drop index notice_due`,
  `create index notice_due on notice (due_at) where sent_at is null and refused_at is null`,
  `create index notice_by_sent on notice (sent_at) where sent_at is not null`,
  `create index notice_by_refusal on notice (refused_at) where refused_at is not null`,
];
