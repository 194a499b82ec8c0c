import type { MigrationInterface, QueryRunner } from 'typeorm';
import { accounts } from './0001-baseline/accounts.js';
import { commerce } from './0001-baseline/commerce.js';
import { deliveries } from './0001-baseline/deliveries.js';
import { endpoints } from './0001-baseline/endpoints.js';
import { eventTypes } from './0001-baseline/event-types.js';
import { events } from './0001-baseline/events.js';
import { idempotency } from './0001-baseline/idempotency.js';
import { notices } from './0001-baseline/notices.js';

/**
 * The whole schema of the first release that can be upgraded. Later migrations follow it, and it
 * never changes (ADR 0022). Ids are text in byte order, so that a range of ids is a range of time.
 */
export class Baseline1795392000000 implements MigrationInterface {
  name = 'Baseline1795392000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  /** Refuses, because it would delete everything. */
  down(): Promise<void> {
    return Promise.reject(
      new Error('The baseline cannot be reverted. Drop the database to delete everything.'),
    );
  }
}

const statements = [
  ...accounts,
  ...eventTypes,
  ...endpoints,
  ...events,
  ...deliveries,
  ...idempotency,
  ...notices,
  ...commerce,
];
