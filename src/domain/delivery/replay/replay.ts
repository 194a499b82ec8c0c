import { recordChange } from '../../audit/record-change.js';
import { DomainError } from '../../errors.js';
import { smallestId, makeId, timestampOf } from '../../id.js';
import type { Read, Statement, Tx } from '../../tx.js';
import type { Delivery } from '../deliveries.js';
import { deliveryColumns } from '../sql/delivery-columns.js';
import { oneDelivery } from '../sql/one-delivery.js';
import { replayable } from './replayable.js';

/** A replay whose first attempt a worker makes. */
export interface StartedReplay {
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
    source.test ? 1 : tx.rules.retry.delaysMs.length + 1,
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
