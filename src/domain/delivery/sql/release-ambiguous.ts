import type { Read, Statement } from '../../tx.js';

/** A claim that PostgreSQL carried out although its answer was lost. */
export interface ReleasedClaim {
  readonly token: number;
  /** How many pending deliveries were released. */
  readonly pendingDeliveries: number;
}

/**
 * Deletes the lease in the statement that takes its token from every pending delivery. It locks the
 * lease, so polls that end leases skip it meanwhile. A pending delivery whose token no lease has
 * would never be sent again.
 */
const releaseStatement: Statement = {
  name: 'pending_delivery_release_ambiguous',
  text: `
    with ambiguous as (
      select l.token, l.pending_delivery_ids from lease l
       where l.token = any ($1::bigint[]) order by l.token for update
    ), held as (
      select c.id, u.token from ambiguous u cross join lateral (
        select c.id from pending_delivery c where c.id = any (u.pending_delivery_ids) and c.lease_token = u.token) c
    ), released as (
      update pending_delivery c set lease_token = null
       where c.id = any (array(select h.id from held h))
         and c.lease_token = any ($1::bigint[])
    ), deleted as (
      delete from lease l where l.token = any (array(select u.token from ambiguous u))
      returning l.token
    )
    select f.token, (select count(*)::int from held h where h.token = f.token) as "pendingDeliveries"
      from deleted f`,
};

/**
 * Releases everything that was claimed under these tokens, as if it had never been claimed. It
 * keeps its place in the queue and does not count as interrupted.
 * @returns the claims that had been carried out; the others may still be in flight
 */
export function releaseAmbiguous(read: Read, tokens: readonly number[]): Promise<ReleasedClaim[]> {
  return read.sql<ReleasedClaim>(releaseStatement, [tokens]);
}
