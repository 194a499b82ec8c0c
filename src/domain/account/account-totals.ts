import { singleRow } from '../rows.js';
import type { Read, Statement } from '../tx.js';
import { getAccount } from './accounts.js';

/** How much an account has, for operators. Counts stop at {@link countLimit}, of pending deliveries at {@link pendingLimit}. */
export interface AccountTotals {
  /** People; credentials without a member have a holder that is none. */
  readonly members: number;
  /** API keys that are not revoked. */
  readonly apiKeys: number;
  /** Endpoints that are not deleted. */
  readonly endpoints: number;
  /** Open pending deliveries of these endpoints, dead letters left out. */
  readonly pending: number;
  /** False when there are more than were counted. */
  readonly pendingIsComplete: boolean;
  /** Since when its events are refused, because a limit of pending deliveries is reached. */
  readonly fullSince: Date | null;
  /** Of the latest count that found the account full; null unless it is full. */
  readonly fullDeliveries: number | null;
  readonly fullBytes: number | null;
}

const countLimit = 1_000;
const pendingLimit = 10_000;

/** The inner limits keep the join lateral: the planner could hash the whole table. */
const totalsStatement: Statement = {
  name: 'account_totals',
  text: `
    select (select count(*)::int from (
              select from member m where m.account_id = $1 and m.is_person
               limit ${countLimit}) m) as members,
           (select count(*)::int from (
              select from credential c
               where c.account_id = $1 and c.kind in ('live', 'legacy') and c.revoked_at is null
               limit ${countLimit}) c) as "apiKeys",
           (select count(*)::int from (
              select from endpoint e where e.account_id = $1 and e.deleted_at is null
               limit ${countLimit}) e) as endpoints,
           (select count(*)::int from (
              select from (
                select e.id from endpoint e where e.account_id = $1 and e.deleted_at is null
                 limit ${countLimit}) e
               cross join lateral (
                select from pending_delivery c
                 where c.endpoint_id = e.id and c.dead_letter_reason is null
                 limit ${pendingLimit + 1}) c
               limit ${pendingLimit + 1}) p) as pending,
           f.since as "fullSince", f.pending::float8 as "fullDeliveries",
           f.pending_bytes::float8 as "fullBytes"
      from (select) one left join full_account f on f.account_id = $1`,
};

/**
 * Counts what an account has, in one statement of bounded cost.
 * @throws DomainError not_found
 */
export async function readAccountTotals(read: Read, account: string): Promise<AccountTotals> {
  const { id } = await getAccount(read, account);
  type Row = Omit<AccountTotals, 'pendingIsComplete'>;
  const row = await singleRow<Row>(read, totalsStatement, [id]);
  return {
    ...row,
    pending: Math.min(row.pending, pendingLimit),
    pendingIsComplete: row.pending <= pendingLimit,
  };
}
