import type { Read, Statement } from '../../tx.js';
import type { Claim, Lane } from '../claim.js';

const releaseStatement: Statement = {
  name: 'pending_delivery_release',
  text: `
    update pending_delivery c set lease_token = null
      from unnest($1::text[], $2::bigint[]) i (id, token)
     where c.id = any ($1::text[]) and c.id = i.id and c.lease_token = i.token`,
};

const deferStatement: Statement = {
  name: 'pending_delivery_defer',
  text: `
    with beside as (
      select c.id from pending_delivery c
       where c.ready and c.lease_token is null and c.lane = $4 and c.account_id = $5
         and c.endpoint_id = $6
       order by c.due_at limit $7 for update skip locked
    )
    update pending_delivery c
       set ready = false, lease_token = null,
           due_at = greatest(now() + $3::int * interval '1 millisecond',
                             (select l.until from lease l where l.token = $2))
     where c.id = any (array(select b.id from beside b union all select $1))
       and (c.lease_token = $2 or c.id in (select b.id from beside b))`,
};

/** One call defers at most this many deliveries beside that of the claim. */
const deferBatch = 1_000;

/** The wait of an endpoint that gets nothing now. */
export interface EndpointWait {
  readonly lane: Lane;
  readonly waitMs: number;
}

/**
 * Releases claims whose attempts did not start, so that another process can claim them at once.
 * They keep their places in the queue and do not count as interrupted. Claims that were lost
 * meanwhile are skipped.
 */
export async function releaseClaims(read: Read, claims: readonly Claim[]): Promise<void> {
  if (claims.length === 0) return;
  await read.sql(releaseStatement, [
    claims.map(({ pendingDeliveryId }) => pendingDeliveryId),
    claims.map(({ token }) => token),
  ]);
}

/**
 * Releases a claim whose attempt failed because of an internal error. It is due again when its
 * lease would have ended. It does not count as interrupted, because it crashed no process.
 * @param endpoint lets it wait longer, and with it what is ready at its endpoint: at most
 *   {@link deferBatch} deliveries, which need no claim each to learn the same
 */
export async function deferClaim(
  read: Read,
  { pendingDeliveryId, token, accountId, endpointId }: Claim,
  endpoint?: EndpointWait,
): Promise<void> {
  await read.sql(deferStatement, [
    pendingDeliveryId,
    token,
    endpoint?.waitMs ?? 0,
    endpoint?.lane ?? 'live',
    accountId,
    endpointId,
    endpoint ? deferBatch : 0,
  ]);
}
