import type { Read, Statement } from '../../tx.js';
import type { Claim } from '../claim.js';

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
    update pending_delivery c
       set ready = false, lease_token = null,
           due_at = coalesce((select l.until from lease l where l.token = $2), now())
     where c.id = $1 and c.lease_token = $2`,
};

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
 */
export async function deferClaim(read: Read, { pendingDeliveryId, token }: Claim): Promise<void> {
  await read.sql(deferStatement, [pendingDeliveryId, token]);
}
