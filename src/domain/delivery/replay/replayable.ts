import { DomainError, type Issue, notFound } from '../../errors.js';
import type { Read, Statement } from '../../tx.js';
import { oneDelivery } from '../sql/one-delivery.js';

interface ReplaySource {
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly test: boolean;
  /** How many bytes the event has; null when it is past its retention. */
  readonly bodyBytes: number | null;
  readonly deleted: boolean;
  readonly active: boolean;
  readonly subscribed: boolean;
  readonly inProgress: boolean;
  /** Pending deliveries of the account at the last count; null while it is below its limits. */
  readonly fullAt: number | null;
}

/**
 * Uses scalar subqueries: the planner could turn an `exists` or a join into a hash of whole tables. The
 * event is found by a range in the order of its own index, as in the claims.
 */
const sourceStatement: Statement = {
  name: 'replay_source',
  text: `
    select d.endpoint_id as "endpointId", d.event_id as "eventId", d.event_type as "eventType",
           d.test,
           (select octet_length(v.body) from event v where v.id >= d.event_id and v.id <= d.event_id
               and v.created_at > now() - interval '30 days' order by v.id limit 1) as "bodyBytes",
           (select f.pending::float8 from full_account f where f.account_id = $1 limit 1) as "fullAt",
           e.deleted_at is not null as deleted, e.active,
           d.test or d.event_type = any (e.event_types) as subscribed,
           (select true from pending_delivery c
             where c.endpoint_id = d.endpoint_id and c.event_id = d.event_id
               and (c.lease_token is not null or c.replayed_from is not null and c.attempt = 1)
               and c.dead_letter_reason is null limit 1) is not null as "inProgress"
      from ${oneDelivery}
      cross join lateral (select * from endpoint e where e.id = d.endpoint_id limit 1) e`,
};

/**
 * Returns what a replay of this record needs.
 * @throws DomainError for what forbids replaying it now, as `startReplay`
 */
export async function replayable(
  read: Read,
  accountId: string,
  deliveryId: string,
): Promise<ReplaySource> {
  const [source] = await read.sql<ReplaySource>(sourceStatement, [accountId, deliveryId]);
  if (!source) throw notFound('webhook delivery');
  const reason = notReplayable(source);
  if (reason) throw new DomainError('delivery_not_replayable', reason.detail, [reason]);
  if (!source.active) {
    const detail = 'The endpoint is not active. Activate it before replaying.';
    throw new DomainError('endpoint_inactive', detail);
  }
  if (source.inProgress) {
    const detail = 'An attempt for this event and endpoint is in progress. Retry later.';
    throw new DomainError('delivery_in_progress', detail, undefined, 15);
  }
  if (source.fullAt !== null) {
    const count = source.fullAt.toLocaleString('en');
    const detail = `The account has reached its limit of pending deliveries or of their bytes: ${count} are pending. Replay again when receivers have accepted some.`;
    throw new DomainError('pending_limit_reached', detail, undefined, 10);
  }
  return source;
}

function notReplayable(source: ReplaySource): Issue | undefined {
  if (source.bodyBytes === null) {
    return { code: 'payload_expired', detail: 'The event is older than 30 days.' };
  }
  if (source.deleted) return { code: 'endpoint_deleted', detail: 'The endpoint was deleted.' };
  if (!source.subscribed) {
    const detail = 'The endpoint no longer subscribes to this event type.';
    return { code: 'event_type_not_subscribed', detail };
  }
  return undefined;
}
