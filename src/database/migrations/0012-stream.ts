import type { MigrationInterface, QueryRunner } from 'typeorm';
import { concurrentlyOnPartitions, indexConcurrently } from './concurrently.js';

/**
 * The live stream reads what one snapshot sees and an earlier one does not:
 * - events, delivery records and endpoints name the transaction that wrote them;
 * - events and records name the time they were written. Those of an account are read by their ids,
 *   which begin with a time. The few written more than 2 s after it have an index (ADR 0036).
 * Each step can be repeated, because the indexes cannot be built in a transaction.
 */
export class Stream1795431600000 implements MigrationInterface {
  name = 'Stream1795431600000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // The defaults come second: with them, existing rows would count as written now.
    for (const table of ['event', 'delivery']) {
      await runner.query(`alter table ${table}
        add column if not exists xid xid8, add column if not exists written_at timestamptz`);
      await runner.query(`alter table ${table}
        alter column xid set default pg_current_xact_id(),
        alter column written_at set default clock_timestamp()`);
    }
    await runner.query('alter table endpoint add column if not exists xid xid8');
    await runner.query('alter table endpoint alter column xid set default pg_current_xact_id()');
    await indexConcurrently(runner, 'endpoint_by_change', 'endpoint (xid)');
    // Every change that clients see moves updated_at; the health of an endpoint does not.
    await runner.query(`create or replace function mark_endpoint_change() returns trigger
      language plpgsql as $$
      begin
        new.xid := pg_current_xact_id();
        return new;
      end $$`);
    await runner.query(`create or replace trigger endpoint_changed before update on endpoint
      for each row when (old.updated_at is distinct from new.updated_at)
      execute function mark_endpoint_change()`);
    for (const [index, { table, since }] of Object.entries(lateIndexes)) {
      const late = `written_at - ${since} > interval '2 seconds'`;
      await concurrentlyOnPartitions(runner, index, table, 'account_id, xid', late);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger endpoint_changed on endpoint');
    await runner.query('drop function mark_endpoint_change()');
    await runner.query(`drop index ${Object.keys(lateIndexes).join(', ')}, endpoint_by_change`);
    await runner.query('alter table endpoint drop column xid');
    await runner.query('alter table event drop column xid, drop column written_at');
    await runner.query('alter table delivery drop column xid, drop column written_at');
  }
}

/** `since` is the time with which the id begins. */
const lateIndexes = {
  event_written_late: { table: 'event', since: 'occurred_at' },
  delivery_written_late: { table: 'delivery', since: 'created_at' },
};
