import type { MigrationInterface, QueryRunner } from 'typeorm';
import { concurrentlyOnPartitions } from './concurrently.js';

/**
 * Test events: how many bytes of them an account stored on a day, and an index of those that only the
 * stream shows, which are kept for a day. Each step can be repeated, because the index cannot be built
 * in a transaction.
 */
export class TestEvents1795496400000 implements MigrationInterface {
  name = 'TestEvents1795496400000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table if not exists test_event_bytes (
      account_id text collate "C" primary key,
      day date not null,
      bytes bigint not null
    )`);
    await concurrentlyOnPartitions(
      runner,
      'event_stream_only',
      'event',
      'id',
      `endpoint_id = 'stream'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index event_stream_only');
    await runner.query('drop table test_event_bytes');
  }
}
