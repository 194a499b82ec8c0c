import { smallestId } from '../id.js';
import { purgeOf } from '../purge.js';
import type { Tx } from '../tx.js';

const purgeExpired = purgeOf('idempotency_record', 'expires_at');

// No client came back for the outcome of these replays within two days; a response is kept for 24 hours
// only. A key is as old as its pending delivery, whose id leaves out the rows of the last two days.
const purgeUnclaimedStatement = {
  name: 'idempotency-record-purge-unclaimed',
  text: `delete from idempotency_record where ctid = any (array(
           select s.ctid from idempotency_record s
           where s.pending_delivery_id < $2 and s.expires_at is null
             and s.created_at < now() - interval '48 hours'
             and (select true from pending_delivery c where c.id = s.pending_delivery_id and c.attempt = 1 limit 1) is null
           order by s.pending_delivery_id limit $1 for update skip locked))
         returning key`,
};

/** One hour less than two days: the id only narrows the range, `created_at` decides. */
const unclaimedFromMs = 47 * 3_600_000;

/**
 * Deletes at most `limit` responses that are older than 24 hours. It also deletes at most `limit` keys of
 * replays that ended, and for whose outcome no client asked within two days.
 * @returns how many rows it deleted
 */
export async function purgeIdempotencyRecords(tx: Tx, limit: number): Promise<number> {
  const expired = await purgeExpired(tx, limit);
  const createdBefore = new Date(tx.now.getTime() - unclaimedFromMs);
  const unclaimed = await tx.sql(purgeUnclaimedStatement, [
    limit,
    smallestId('pdl', createdBefore),
  ]);
  return expired + unclaimed.length;
}
