import type { MigrationInterface, QueryRunner } from 'typeorm';
import { concurrentlyOnPartitions } from './concurrently.js';

/**
 * Searches that combine filters:
 * - records are found by endpoint and type;
 * - the key of a record's type has its status too, so that it finds both together;
 * - account and status are found by their hash, half as long as the texts;
 * - the index of an account's events holds hashes of type and subject, so that a search looks at no
 *   event that cannot match (ADR 0037).
 * One worker counts the pending deliveries of accounts for all.
 *
 * Those of records hold an expression of the id, so that conditions on ids alone never choose them.
 * Each step can be repeated, because the indexes cannot be built in a transaction.
 */
export class SearchIndexes1795435200000 implements MigrationInterface {
  name = 'SearchIndexes1795435200000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table if not exists full_account_count (
      id smallint primary key constraint full_account_count_id_check check (id = 1),
      counted_at timestamptz(3) not null
    )`);
    await build(runner, added);
    await runner.query(`drop index if exists ${Object.keys(removed).join(', ')}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table full_account_count');
    await build(runner, removed);
    await runner.query(`drop index if exists ${Object.keys(added).join(', ')}`);
  }
}

type Indexes = Readonly<Record<string, readonly [table: string, columns: string]>>;

async function build(runner: QueryRunner, indexes: Indexes): Promise<void> {
  for (const [index, [table, columns]] of Object.entries(indexes)) {
    await concurrentlyOnPartitions(runner, index, table, columns);
  }
}

const added: Indexes = {
  delivery_by_type_and_status: [
    'delivery',
    "hashtextextended(account_id || event_type || status, 0), (id || '')",
  ],
  delivery_by_endpoint_and_type: [
    'delivery',
    "hashtextextended(endpoint_id || event_type || status, 0), (id || '')",
  ],
  delivery_by_account_and_status: [
    'delivery',
    "hashtextextended(account_id || status, 0), (id || '')",
  ],
  event_of_account: ['event', 'account_id, id, hashtext(type), hashtext(subject)'],
};

const removed: Indexes = {
  delivery_by_type: ['delivery', 'hashtextextended(account_id || event_type, 0), id'],
  delivery_by_status: ['delivery', 'account_id, status, id desc'],
  event_by_account: ['event', 'account_id, id'],
};
