import { singleRow } from '../../rows.js';
import type { Read, Statement } from '../../tx.js';

/** How attempts of all accounts ended, since the beginning of the hour before this one. */
export interface RecentOutcomes {
  readonly since: Date;
  readonly success: number;
  readonly failed: number;
  readonly abandoned: number;
  /** False when there were more accounts and endpoints than were read. */
  readonly complete: boolean;
}

/** One row for each account and endpoint that was attempted in an hour. */
const rowLimit = 20_000;

const outcomesStatement: Statement = {
  name: 'recent_outcomes',
  text: `
    select h.since, coalesce(sum(s.success) filter (where s.endpoint_id = ''), 0)::float8 as success,
           coalesce(sum(s.failed) filter (where s.endpoint_id = ''), 0)::float8 as failed,
           coalesce(sum(s.abandoned) filter (where s.endpoint_id = ''), 0)::float8 as abandoned,
           count(s.endpoint_id) < $1 as complete
      from (select date_trunc('hour', now() - interval '1 hour', 'UTC') as since) h
      left join lateral (
        select s.endpoint_id, s.success, s.failed, s.abandoned from delivery_statistics s
         where s.span = 'hour' and s.starts_at >= h.since
         order by s.starts_at desc limit $1) s on true
     group by h.since`,
};

/**
 * Reads the {@link RecentOutcomes}, at most 20,000 rows. Attempts of the last minute may be missing; test
 * deliveries do not count.
 */
export function readRecentOutcomes(read: Read): Promise<RecentOutcomes> {
  return singleRow<RecentOutcomes>(read, outcomesStatement, [rowLimit]);
}
