import { type Page, pageOf, type PageRequest, pageStart } from '../list/cursor-page.js';
import { notFound } from '../errors.js';
import { smallestId } from '../values/id.js';
import { oldestListedId } from '../list/time-range.js';
import type { Read, Statement } from '../transaction/tx.js';
import type { DeliveryStatus } from './attempt-result.js';
import type { Delivery as DeliveryRow } from './delivery.entity.js';
import { type EndpointHealth, latestAttempt, stateOf } from './health.js';

/**
 * The record of one attempt. `pendingDeliveryId`, `endpointId` and `failureReason` are internal: `/v1` does not
 * show them.
 */
export type Delivery = Readonly<Omit<DeliveryRow, 'accountId' | 'xid' | 'writtenAt'>>;

/** In SQL: the columns of a record `d`, named as members of `Delivery`. */
export const deliveryColumns = `
  d.id, d.attempt, d.max_attempts as "maxAttempts", d.status, d.created_at as "createdAt",
  d.delivered_at as "deliveredAt", d.duration_ms as "durationMs",
  d.response_status as "responseStatus", d.event_id as "eventId", d.event_type as "eventType",
  d.event_version as "eventVersion", d.replayed_from as "replayedFrom", d.test,
  d.pending_delivery_id as "pendingDeliveryId", d.endpoint_id as "endpointId", d.failure_reason as "failureReason"`;

const listStatement: Statement = {
  name: 'delivery_list',
  text: `
    select ${deliveryColumns} from delivery d
     where d.account_id = $1 and d.id < $2 and d.id >= ${oldestListedId('whd')}
     order by d.id desc limit $3`,
};

/** In SQL: the columns of `delivery_by_account_and_status`, in which the list is ordered. */
const ofStatus = `hashtextextended(d.account_id || d.status, 0), (d.id || '')`;

const statusOf = `hashtextextended($1::text collate "C" || $4::text, 0)`;

/** Compares hash and id together, which only that index can do. */
const listByStatusStatement: Statement = {
  name: 'delivery_list_by_status',
  text: `
    select ${deliveryColumns} from delivery d
     where (${ofStatus}) < (${statusOf}, $2)
       and (${ofStatus}) >= (${statusOf}, ${oldestListedId('whd')})
       and d.account_id || '' = $1 and d.status = $4
     order by ${ofStatus.replaceAll(', (', ' desc, (')} desc limit $3`,
};

/**
 * In SQL: the record $2 of the account $1, as `d`. Uses a range in order on purpose. Before
 * PostgreSQL 18, two equalities could be planned as a walk through all records of the account. That
 * happens while tables are empty, in an index that has the status between the two columns.
 */
export const oneDelivery = `(
      select * from delivery where account_id = $1 and id between $2 and $2
       order by id desc limit 1) d`;

const getStatement: Statement = {
  name: 'delivery_get',
  text: `
    select ${deliveryColumns} from ${oneDelivery}
     where d.id >= ${oldestListedId('whd')}`,
};

/** Greater than every delivery id. */
const beyond = 'whd_~';

/**
 * Lists an account's records of the last 30 days, newest first.
 * @throws DomainError validation_failed `invalid_cursor`, or for a limit outside 1 to 100
 */
export async function listDeliveries(
  read: Read,
  accountId: string,
  request: PageRequest<DeliveryStatus>,
): Promise<Page<Delivery>> {
  const { limit, status } = request;
  const scope = { list: 'deliveries', account: accountId, filter: status ?? undefined };
  const values = [accountId, pageStart(read, scope, request) ?? beyond, limit + 1];
  const rows = status
    ? await read.sql<Delivery>(listByStatusStatement, [...values, status])
    : await read.sql<Delivery>(listStatement, values);
  return pageOf(read, scope, limit, rows);
}

/**
 * Returns one record of an account.
 * @throws DomainError not_found
 */
export async function getDelivery(read: Read, accountId: string, id: string): Promise<Delivery> {
  const [delivery] = await read.sql<Delivery>(getStatement, [accountId, id]);
  if (!delivery) throw notFound('webhook delivery');
  return delivery;
}

/** Looks up each record laterally: the planner could turn a join into a hash of all pending deliveries. */
const nextAttemptsStatement: Statement = {
  name: 'delivery_next_attempts',
  text: `
    select i.id, c.due_at as "dueAt"
      from unnest($1::text[], $2::text[]) i (pending_delivery_id, id)
      cross join lateral (
        select c.due_at from pending_delivery c
         where c.id = i.pending_delivery_id and c.last_delivery_id = i.id
           and c.lease_token is null and c.dead_letter_reason is null limit 1) c`,
};

/**
 * Returns when the next attempt after each of these records is due. Records without one are not in
 * the map.
 */
export async function nextAttempts(
  read: Read,
  deliveries: readonly Pick<Delivery, 'id' | 'pendingDeliveryId'>[],
): Promise<ReadonlyMap<string, Date>> {
  const rows = await read.sql<{ id: string; dueAt: Date }>(nextAttemptsStatement, [
    deliveries.map(({ pendingDeliveryId }) => pendingDeliveryId),
    deliveries.map(({ id }) => id),
  ]);
  return new Map(rows.map(({ id, dueAt }) => [id, dueAt]));
}

/** The state of the deliveries to an endpoint, without counts. */
export type EndpointSummary = Pick<EndpointHealth, 'state' | 'lastSuccessAt' | 'lastFailureAt'>;

type Row = Omit<EndpointSummary, 'state'> & Parameters<typeof stateOf>[0] & { readonly id: string };

const summariesStatement: Statement = {
  name: 'endpoint_summaries',
  text: `
    select e.id, e.active, e.disabled_reason as "disabledReason",
           e.failing_since as "failingSince", ${latestAttempt('e.id', 'success')} as "lastSuccessAt",
           greatest(${latestAttempt('e.id', 'failed')},
                    ${latestAttempt('e.id', 'abandoned')}) as "lastFailureAt"
      from unnest($1::text[]) i (id)
     cross join lateral (select * from endpoint e where e.id = i.id limit 1) e`,
};

/**
 * Returns the summaries of endpoints of any account, by id, in one statement. Only for ids that were
 * looked up within an account already.
 */
export async function endpointSummaries(
  read: Read,
  ids: readonly string[],
): Promise<ReadonlyMap<string, EndpointSummary>> {
  const rows = await read.sql<Row>(summariesStatement, [ids]);
  return new Map(
    rows.map((row) => {
      const { id, lastSuccessAt, lastFailureAt } = row;
      return [id, { state: stateOf(row), lastSuccessAt, lastFailureAt }];
    }),
  );
}

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

const recentStatement: Statement = {
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
  const share = Math.floor(maxTotal / Math.max(1, accountIds.length));
  const limit = Math.min(maxPerAccount, Math.max(minPerAccount, share));
  return read.sql<RecentAttempt>(recentStatement, [accountIds, since, limit]);
}
