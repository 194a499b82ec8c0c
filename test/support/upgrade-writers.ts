import { makeId } from '../../src/domain/id.js';
import type { TestDatabase } from './database.js';
import type { DumpedFacts } from './dump.js';

/** The sessions that write. */
export const writers = 3;
const type = 'cart.order.completed';

/** What processes of an earlier version write when they publish: the columns of the first migration. */
const publish = `
  with stored as (
    insert into event (id, account_id, type, version, subject, test, body, occurred_at, created_at)
    values ($1, $2, $3, 'v1', 'order:ord_1', false, convert_to('{"data":{}}', 'UTF8'), now(), now())
    returning id)
  insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, lane, ready, due_at,
                                attempt, max_attempts, test, created_at)
  select replace(s.id, 'evt_', 'pdl_'), $2, $4, s.id, $3, 'live', true, now(), 1, 10, false, now()
    from stored s`;
const recordFailure =
  'update endpoint set failure_count = failure_count + 1, updated_at = now() where id = $1';

/** Writes while `work` runs. @returns the events that were committed, and the longest pause in ms */
export async function besideWriters(
  database: TestDatabase,
  { account, endpoints }: DumpedFacts,
  work: () => Promise<unknown>,
): Promise<{ readonly events: readonly string[]; readonly longestMs: number }> {
  const events: string[] = [];
  const state = { isOver: false, longestMs: 0 };
  const writing = Array.from({ length: writers }, async () => {
    do {
      const startedAt = performance.now();
      const id = makeId('evt', new Date());
      await database.query(publish, [id, account, type, endpoints[0]?.id]);
      await database.query(recordFailure, [endpoints[1]?.id]);
      events.push(id);
      state.longestMs = Math.max(state.longestMs, performance.now() - startedAt);
    } while (!state.isOver);
  });
  await work().finally(() => (state.isOver = true));
  await Promise.all(writing);
  return { events, longestMs: state.longestMs };
}
