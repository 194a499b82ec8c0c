import type { TestDatabase } from './database.js';
import { eventType } from './engine.js';

/** Start-up options for setup statements, which take minutes with missing or wrong statistics. */
export const avoidScansOption = '-c enable_nestloop=off -c enable_seqscan=off';

/**
 * Disables autovacuum for all tables, because it updates the statistics of the planner at any time.
 * Call it before any statement is prepared: PostgreSQL plans prepared statements again after it.
 */
export async function disableAutovacuum(test: TestDatabase): Promise<void> {
  await test.query(
    `do $$ declare t regclass; begin
       for t in select oid from pg_class
                 where relkind = 'r' and relnamespace = 'public'::regnamespace loop
         execute format('alter table %s set (autovacuum_enabled = off)', t);
       end loop; end $$`,
  );
}

/**
 * Sets the statistics that an analyze writes for an emptied table whose pages still exist. The planner
 * takes the tables for empty, however they grow, until the next analyze. PostgreSQL plans prepared
 * statements again.
 */
export async function setStatisticsToEmpty(test: TestDatabase): Promise<void> {
  await test.query(
    `update pg_class set reltuples = 0, relpages = 1
      where relkind in ('r', 'i') and relnamespace = 'public'::regnamespace`,
  );
}

/** Does so only for `pending_delivery`, after a burst of 50,000 rows. Other tables get true statistics. */
export async function setStatisticsToAfterBurst(test: TestDatabase): Promise<void> {
  await test.query(
    `insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, attempt, max_attempts,
                        test, created_at, lane, ready, due_at)
     select 'pdl_' || i, 'acc_burst', 'whs_' || i % 50, 'evt_' || i, $1, 1, 10, false, now(),
            'live', true, now() from generate_series(1, 50000) i`,
    [eventType],
  );
  await test.query('delete from pending_delivery');
  // When both seem empty, the planner chooses the shallower index: this one, which is the wrong one.
  await test.query('reindex index pending_delivery_by_endpoint');
  await test.query('vacuum (index_cleanup off, truncate off, analyze)');
}
