import { sealCursor } from '../cursor.js';
import { notFound } from '../errors.js';
import { pageStart } from '../cursor-page.js';
import type { Read, Statement } from '../tx.js';
import type { DeliveryStatus } from './rules/attempt-result.js';
import { oneDelivery } from './sql/one-delivery.js';

/** The record of one attempt. */
export interface Delivery {
  readonly id: string;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly status: DeliveryStatus;
  /** When the attempt started. */
  readonly createdAt: Date;
  /** When the 2xx arrived; null without one. */
  readonly deliveredAt: Date | null;
  /** Null when nothing was sent. */
  readonly durationMs: number | null;
  /** Null when no response arrived. */
  readonly responseStatus: number | null;
  readonly eventId: string;
  readonly eventType: string;
  readonly eventVersion: string;
  /** The delivery that was replayed; null unless this is a replay. */
  readonly replayedFrom: string | null;
  readonly test: boolean;
  /** Internal: the pending delivery that the attempt belonged to. */
  readonly pendingDeliveryId: string;
  /** Internal: the endpoint that the attempt went to. */
  readonly endpointId: string;
  /** Internal: short code of the failure; null after a success. */
  readonly failureReason: string | null;
}

/** Which deliveries to list, newest first, from the page after `cursor`. */
export interface DeliveryFilter {
  /** 1 to 100. */
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
}

/** One page of a list; the last page has no cursor. */
export interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  readonly nextCursor: string | undefined;
}

const columns = `
  d.id, d.attempt, d.max_attempts as "maxAttempts", d.status, d.created_at as "createdAt",
  d.delivered_at as "deliveredAt", d.duration_ms as "durationMs",
  d.response_status as "responseStatus", d.event_id as "eventId", d.event_type as "eventType",
  d.event_version as "eventVersion", d.replayed_from as "replayedFrom", d.test,
  d.pending_delivery_id as "pendingDeliveryId", d.endpoint_id as "endpointId", d.failure_reason as "failureReason"`;

/** The columns of a record `d`, named as members of {@link Delivery}. */
export const deliveryColumns = columns;

/**
 * In SQL: the smallest id of records that are still listed, in base62 as `smallestId` writes it.
 * This bound on the id lets the planner skip older partitions.
 */
const oldestListedId = `(
  select 'whd_' || string_agg(
    substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
           (t.ms / (62 ^ p.place)::bigint % 62)::int + 1, 1), '' order by p.place desc)
    from (select (extract(epoch from now() - interval '30 days') * 1000)::bigint as ms) t
    cross join generate_series(0, 7) p (place))`;

const listStatement: Statement = {
  name: 'delivery_list',
  text: `
    select ${columns} from delivery d
     where d.account_id = $1 and d.id < $2 and d.id >= ${oldestListedId}
     order by d.id desc limit $3`,
};

const listByStatusStatement: Statement = {
  name: 'delivery_list_by_status',
  text: `
    select ${columns} from delivery d
     where d.account_id = $1 and d.id < $2 and d.id >= ${oldestListedId} and d.status = $4
     order by d.id desc limit $3`,
};

const getStatement: Statement = {
  name: 'delivery_get',
  text: `
    select ${columns} from ${oneDelivery}
     where d.id >= ${oldestListedId}`,
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
  { limit, cursor, status }: DeliveryFilter,
): Promise<DeliveryPage> {
  const scope = { list: 'deliveries', account: accountId, filter: status };
  const [before = beyond] = pageStart(read, scope, { limit, cursor }) ?? [];
  const values: unknown[] = [accountId, before, limit + 1];
  const rows = status
    ? await read.sql<Delivery>(listByStatusStatement, [...values, status])
    : await read.sql<Delivery>(listStatement, values);
  const deliveries = rows.slice(0, limit);
  const last = deliveries.at(-1);
  const more = rows.length > limit && last !== undefined;
  return {
    deliveries,
    nextCursor: more ? sealCursor(read.rules.cursorKeys, scope, [last.id]) : undefined,
  };
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
