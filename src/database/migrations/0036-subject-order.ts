import type { MigrationInterface, QueryRunner } from 'typeorm';
import { concurrently, indexConcurrently } from './concurrently.js';

/**
 * Endpoints that get the events of a subject one at a time. A pending delivery of theirs waits with `due_at`
 * infinity, under the key of its subject and a number. The indexes hold only such rows. Each step can be repeated,
 * because the indexes cannot be built in a transaction.
 */
export class SubjectOrder1795518000000 implements MigrationInterface {
  name = 'SubjectOrder1795518000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table endpoint add column if not exists ordering text
      constraint endpoint_ordering_check check (ordering = 'subject')`);
    await runner.query(`alter table pending_delivery add column if not exists subject_key uuid,
      add column if not exists subject_number bigint`);
    // Without a cache, numbers are taken in the order of time in all sessions.
    await runner.query('create sequence if not exists pending_delivery_subject_number cache 1');
    await indexConcurrently(
      runner,
      'pending_delivery_in_order',
      `pending_delivery (endpoint_id, subject_key, subject_number) where due_at = 'infinity'`,
    );
    await indexConcurrently(
      runner,
      'pending_delivery_recovery_in_order',
      `pending_delivery (account_id, endpoint_id) where lane = 'recovery' and due_at = 'infinity'`,
    );
    const open = 'pending_delivery_open_subject';
    await concurrently(runner, `drop index concurrently if exists ${open}`);
    await concurrently(
      runner,
      `create unique index concurrently ${open} on pending_delivery (endpoint_id, subject_key)
        where subject_key is not null and due_at < 'infinity'`,
    );
  }

  /** What waits is due at once, in no order. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`update pending_delivery set ready = true, due_at = now(), subject_key = null
      where due_at = 'infinity'`);
    // The indexes go with their columns.
    await concurrently(
      runner,
      'drop index concurrently if exists pending_delivery_recovery_in_order',
    );
    await runner.query(
      'alter table pending_delivery drop column subject_key, drop column subject_number',
    );
    await runner.query('drop sequence pending_delivery_subject_number');
    await runner.query('alter table endpoint drop column ordering');
  }
}
