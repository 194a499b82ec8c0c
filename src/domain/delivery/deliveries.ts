import { notFound } from '../errors.js';
import { type Page, pageOf, type PageRequest, pageStart } from '../cursor-page.js';
import { oldestListedId } from '../oldest-listed.js';
import type { Read, Statement } from '../tx.js';
import type { Delivery as DeliveryRow } from './delivery.entity.js';
import type { DeliveryStatus } from './rules/attempt-result.js';
import { deliveryColumns } from './sql/delivery-columns.js';
import { oneDelivery } from './sql/one-delivery.js';

/**
 * The record of one attempt. `pendingDeliveryId`, `endpointId` and `failureReason` are internal: `/v1` does not
 * show them.
 */
export type Delivery = Readonly<Omit<DeliveryRow, 'accountId' | 'xid' | 'writtenAt'>>;

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

/**
 * Looks each one up laterally: the planner could turn a join into a hash of all pending deliveries.
 */
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
