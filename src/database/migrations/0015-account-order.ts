import type { MigrationInterface, QueryRunner } from 'typeorm';
import { concurrently, indexConcurrently } from './concurrently.js';

/**
 * The rows of an account are read in the order of account and id, both ascending. So they can be
 * compared as a row (ADR 0041). The index of notices holds an expression of the id, as those of
 * delivery records do. Changed endpoints are found by their account.
 * Each step can be repeated, because the indexes cannot be built in a transaction.
 */
export class AccountOrder1795442400000 implements MigrationInterface {
  name = 'AccountOrder1795442400000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await replace(runner, earlier, later);
  }

  async down(runner: QueryRunner): Promise<void> {
    await replace(runner, later, earlier);
  }
}

type Indexes = Readonly<Record<string, string>>;

async function replace(runner: QueryRunner, old: Indexes, built: Indexes): Promise<void> {
  for (const [index, definition] of Object.entries(built)) {
    await indexConcurrently(runner, index, definition);
  }
  for (const index of Object.keys(old)) {
    await concurrently(runner, `drop index concurrently if exists ${index}`);
  }
}

const earlier: Indexes = {
  checkout_by_account: 'checkout (account_id, id desc)',
  endpoint_by_account: 'endpoint (account_id, id desc) where deleted_at is null',
  endpoint_by_change: 'endpoint (xid)',
  erasure_by_account: 'erasure (account_id, id desc)',
  notice_by_account: 'notice (hashtextextended(account_id, 0))',
  recovery_by_account: 'recovery (account_id, id desc)',
};

const later: Indexes = {
  checkout_of_account: 'checkout (account_id, id)',
  endpoint_changed: 'endpoint (hashtextextended(account_id, 0), xid)',
  endpoint_of_account: 'endpoint (account_id, id) where deleted_at is null',
  erasure_of_account: 'erasure (account_id, id)',
  notice_of_account: "notice (hashtextextended(account_id, 0), (id || ''))",
  recovery_of_account: 'recovery (account_id, id)',
};
