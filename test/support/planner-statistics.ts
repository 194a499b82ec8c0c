import type { TestDatabase } from './database.js';
import { eventType } from './engine.js';

/** For connections that must not wait for minutes where the planner was told nothing, or {@link setStatisticsToEmpty}. */
export const avoidScansOption = '-c enable_nestloop=off -c enable_seqscan=off';

/**
 * Turns autovacuum off for all tables there are, for it would tell the planner at some moment or other.
 * Call it before anything is prepared: it makes PostgreSQL plan all that is prepared anew.
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
 * Tells the planner what an analyze tells it of tables without a row whose pages are still there: that
 * they are empty, which it believes however they grow, until somebody looks again. What is prepared is
 * planned anew.
 */
export async function setStatisticsToEmpty(test: TestDatabase): Promise<void> {
  await test.query(
    `update pg_class set reltuples = 0, relpages = 1
      where relkind in ('r', 'i') and relnamespace = 'public'::regnamespace`,
  );
}

/** The same of `pending_delivery` alone, after a burst of 50,000; of all other tables it tells what is so. */
export async function setStatisticsToAfterBurst(test: TestDatabase): Promise<void> {
  await test.query(
    `insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, attempt, max_attempts,
                        test, created_at, lane, ready, due_at)
     select 'pdl_' || i, 'acc_burst', 'whs_' || i % 50, 'evt_' || i, $1, 1, 10, false, now(),
            'live', true, now() from generate_series(1, 50000) i`,
    [eventType],
  );
  await test.query('delete from pending_delivery');
  // Of two indexes the shallower one is chosen where both seem empty: this one, which is the wrong one.
  await test.query('reindex index pending_delivery_by_endpoint');
  await test.query('vacuum (index_cleanup off, truncate off, analyze)');
}
