import { smallestId } from '../id.js';
import type { Read, Statement } from '../tx.js';

/** How an endpoint responded to one attempt. */
export interface RecentAttempt {
  readonly accountId: string;
  readonly endpointId: string;
  readonly answered: boolean;
  /** Null when nothing was sent. */
  readonly durationMs: number | null;
}

/** Older attempts say little about the endpoint today. */
const recentMs = 120_000;

/** At most this many of the latest records per account; fewer when there are many accounts. */
const maxPerAccount = 400;
const minPerAccount = 20;
const maxTotal = 4_000;

const statement: Statement = {
  name: 'delivery_recent',
  text: `
    select r.* from unnest($1::text[]) a (id) cross join lateral (
      select d.account_id as "accountId", d.endpoint_id as "endpointId",
             d.response_status is not null as answered, d.duration_ms as "durationMs"
        from delivery d where d.account_id = a.id and d.id >= $2
       order by d.id desc limit $3) r`,
};

/** Returns the latest attempts of these accounts in the two minutes before `now`, newest first. */
export function recentAttempts(
  read: Read,
  accountIds: readonly string[],
  now: Date,
): Promise<RecentAttempt[]> {
  const since = smallestId('whd', new Date(now.getTime() - recentMs));
  const each = Math.floor(maxTotal / Math.max(1, accountIds.length));
  const limit = Math.min(maxPerAccount, Math.max(minPerAccount, each));
  return read.sql<RecentAttempt>(statement, [accountIds, since, limit]);
}
