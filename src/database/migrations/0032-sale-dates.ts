import type { MigrationInterface, QueryRunner } from 'typeorm';
import { concurrently, indexConcurrently } from './concurrently.js';

/**
 * Orders, refunds and invoices are found by the time of their creation, as payments are. Each step can be
 * repeated, because the indexes cannot be built in a transaction.
 */
export class SaleDates1795503600000 implements MigrationInterface {
  name = 'SaleDates1795503600000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const table of tables) {
      const definition = `"${table}" (account_id, created_at, position)`;
      await indexConcurrently(runner, `${table}_by_creation`, definition);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of tables) {
      await concurrently(runner, `drop index concurrently if exists ${table}_by_creation`);
    }
  }
}

const tables = ['order', 'refund', 'invoice'] as const;
