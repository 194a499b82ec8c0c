import type { Read, Statement } from '../../tx.js';
import { replayChannel } from './notify-replays.js';

const deadLetterReason = 'its event is past retention';

/** A replay that is dead-lettered before its first attempt releases its idempotency key. */
const deadLetterStatement: Statement = {
  name: 'dead_letter_orphans',
  text: `
    with dead_lettered as (
      update pending_delivery c
         set ready = false, lease_token = null, dead_letter_reason = $3, due_at = now()
        from unnest($1::text[], $2::bigint[]) i (id, token)
       where c.id = any ($1::text[]) and c.id = i.id and c.lease_token = i.token
      returning c.id, c.replayed_from, c.attempt
    ), released as (
      delete from idempotency_record s
       where s.status is null and s.pending_delivery_id = any (array(
         select p.id from dead_lettered p where p.replayed_from is not null and p.attempt = 1))
      returning pg_notify('${replayChannel}', '')
    )
    select p.id from dead_lettered p`,
};

/** A claimed pending delivery whose event is past retention. */
export interface Orphan {
  readonly pendingDeliveryId: string;
  readonly token: number;
}

/**
 * Dead-letters claimed pending deliveries whose events are past retention: there is nothing left to
 * send.
 * @returns the ids of those that still held their claims
 */
export async function deadLetterOrphans(read: Read, orphans: readonly Orphan[]): Promise<string[]> {
  const deadLettered = await read.sql<{ id: string }>(deadLetterStatement, [
    orphans.map(({ pendingDeliveryId }) => pendingDeliveryId),
    orphans.map(({ token }) => token),
    deadLetterReason,
  ]);
  return deadLettered.map(({ id }) => id);
}
