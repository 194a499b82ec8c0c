import { recordChange } from '../audit/audit-log.js';
import { DomainError, type Issue, notFound } from '../errors.js';
import { attemptsOf } from '../transaction/rules.js';
import { smallestId, makeId, timestampOf } from '../values/id.js';
import type { Read, Statement, Tx } from '../transaction/tx.js';
import { type Delivery, deliveryColumns, oneDelivery } from './deliveries.js';
import type { EndedAttempt } from './attempt.js';

/** A replay whose first attempt a worker makes. */
interface StartedReplay {
  readonly pendingDeliveryId: string;
}

/** The result of a replay: its first record, or the fact that it ended without one. */
export type ReplayResult =
  | { readonly kind: 'recorded'; readonly delivery: Delivery }
  /** Cancelled or dead-lettered before its first attempt; {@link endedReplayError} says why. */
  | { readonly kind: 'ended' };

/**
 * In SQL: locks the replays of the endpoint and event of `row`. Take it before making one
 * claimable.
 */
export const lockReplays = (row: string) =>
  `pg_advisory_xact_lock(hashtextextended('replay ' || ${row}.endpoint_id || ${row}.event_id, 0))`;

const lockStatement: Statement = {
  name: 'replay_lock',
  text: `
    select ${lockReplays('d')} from ${oneDelivery}`,
};

const insertStatement: Statement = {
  name: 'replay_insert',
  text: `
    insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, lane, ready, due_at,
                       attempt, max_attempts, test, replayed_from, created_at, body_bytes)
    values ($1, $2, $3, $4, $5, 'replay', true, $9, 1, $6, $7, $8, $9, $10)`,
};

/**
 * Starts a replay. Its pending delivery is due at once, and only the replay lane claims its first
 * attempt. Two replays of one event to one endpoint never run at the same time.
 * @throws DomainError not_found; delivery_not_replayable (`payload_expired`, `endpoint_deleted`,
 *   `event_type_not_subscribed`); endpoint_inactive; delivery_in_progress; pending_limit_reached
 *   while the account has reached its limit of pending deliveries
 */
export async function startReplay(
  tx: Tx,
  accountId: string,
  deliveryId: string,
): Promise<StartedReplay> {
  await tx.sql(lockStatement, [accountId, deliveryId]);

  const source = await replayable(tx, accountId, deliveryId);
  const pendingDeliveryId = makeId('pdl', tx.now);
  await tx.sql(insertStatement, [
    pendingDeliveryId,
    accountId,
    source.endpointId,
    source.eventId,
    source.eventType,
    source.test ? 1 : attemptsOf(tx.rules.retry, source.retrySchedule),
    source.test,
    deliveryId,
    tx.now,
    source.bodyBytes,
  ]);

  tx.wake({ kind: 'replay' });
  recordChange(tx, { action: 'delivery_replayed', account: accountId, resource: deliveryId });

  return { pendingDeliveryId };
}

/**
 * The id of a record holds the worker's estimate of the time, which can lag behind that of the
 * pending delivery.
 */
const clockSlackMs = 3_600_000;

const endsStatement: Statement = {
  name: 'replay_ends',
  text: `
    select i.id as "waitedFor", d.*
      from unnest($1::text[], $2::text[]) i (id, floor)
      left join lateral (
        select ${deliveryColumns} from delivery d
         where d.pending_delivery_id = i.id and d.replayed_from is not null and d.attempt = 1
           and d.id >= i.floor limit 1) d on true
     where d.id is not null
        or (select true from pending_delivery c
             where c.id = i.id and c.attempt = 1 and c.dead_letter_reason is null limit 1) is null`,
};

/**
 * Reads in one statement the results of these replays. Those still in flight are not in the map.
 * One transaction writes the record and moves the pending delivery on, so no state between the two
 * is visible.
 */
export async function readReplays(
  read: Read,
  pendingDeliveryIds: readonly string[],
): Promise<ReadonlyMap<string, ReplayResult>> {
  // The lower bound excludes the partitions of earlier days.
  const floors = pendingDeliveryIds.map((id) =>
    smallestId('whd', new Date(timestampOf(id).getTime() - clockSlackMs)),
  );
  const rows = await read.sql<Partial<Delivery> & { waitedFor: string }>(endsStatement, [
    pendingDeliveryIds,
    floors,
  ]);

  return new Map(
    rows.map(({ waitedFor, ...delivery }) => [
      waitedFor,
      isDelivery(delivery) ? { kind: 'recorded', delivery } : { kind: 'ended' },
    ]),
  );
}

/**
 * Returns why a replay ended without an attempt: what forbids replaying it, else an error that
 * allows a retry.
 */
export async function endedReplayError(
  read: Read,
  accountId: string,
  deliveryId: string,
): Promise<DomainError> {
  try {
    await replayable(read, accountId, deliveryId);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  const detail = 'The replay was cancelled before its first attempt.';
  return new DomainError('replay_unsettled', detail, undefined, 5);
}

function isDelivery(row: Partial<Delivery>): row is Delivery {
  return typeof row.id === 'string';
}

interface ReplaySource {
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly test: boolean;
  /** How many bytes the event has; null when it is past its retention. */
  readonly bodyBytes: number | null;
  readonly deleted: boolean;
  readonly active: boolean;
  readonly retrySchedule: string | null;
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
           e.retry_schedule as "retrySchedule",
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
async function replayable(
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

/**
 * The channel on which PostgreSQL notifies that a replay was recorded or ended. Listeners then
 * poll.
 */
export const replayChannel = 'signalpost_replay';

const notifyStatement: Statement = {
  name: 'replay_notify',
  text: `select pg_notify('${replayChannel}', '')`,
};

/**
 * Notifies once for all of these attempts, if one is the first attempt of a replay. NOTIFY serialises
 * commits, so it is never sent per row.
 */
export async function notifyReplays(tx: Tx, recorded: readonly EndedAttempt[]): Promise<void> {
  if (recorded.some(isAwaitedReplay)) await signalReplays(tx);
}

/** Whether a caller may wait for this attempt, because it is the first one of a replay. */
export function isAwaitedReplay({ claim, recovered = false }: EndedAttempt): boolean {
  return !recovered && claim.replayedFrom !== null && claim.attempt === 1;
}

/**
 * Notifies, when the transaction commits, that a replay was recorded or ended without an attempt.
 */
export async function signalReplays(tx: Tx): Promise<void> {
  await tx.sql(notifyStatement, []);
}
