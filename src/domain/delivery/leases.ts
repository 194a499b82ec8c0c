// Extends and deletes leases, and gives claims back before their leases end.
//
// A lease is one row: the token of a claim, when it ends, and the ids of what was claimed. A pending delivery
// is claimed while it carries a token. Whoever takes a token away compares it, so a claim that another process
// has taken since is left alone.
//
// Invariant: a pending delivery never carries a token without a lease, because no poll would release it. A
// crash leaves leases, which polls end (promote.ts).
import type { Read, Statement } from '../transaction/tx.js';
import type { Claim, Lane } from './claim.js';

const extendStatement: Statement = {
  name: 'lease_extend',
  text: `
    update lease l set until = now() + $2::int * interval '1 millisecond'
     where l.token = any ($1::bigint[])
    returning l.token`,
};

/**
 * Extends leases to `leaseMs` from now, for a process that still has to record or release what it
 * claimed. Writes leases only, so no lock on a pending delivery or a record delays it.
 * @returns the tokens of leases that still existed; claims under the others are lost
 */
export async function extendLeases(
  read: Read,
  tokens: readonly number[],
  leaseMs: number,
): Promise<number[]> {
  const extended = await read.sql<{ token: number }>(extendStatement, [tokens, leaseMs]);
  return extended.map(({ token }) => token);
}

const deleteStatement: Statement = {
  name: 'lease_delete',
  text: 'delete from lease l where l.token = any ($1::bigint[])',
};

/**
 * Deletes leases whose claims have all ended, so that no poll has to look up what is left of them. A pending
 * delivery that still carried one of these tokens would never be sent again.
 */
export async function deleteLeases(read: Read, tokens: readonly number[]): Promise<void> {
  if (tokens.length > 0) await read.sql(deleteStatement, [tokens]);
}

const releaseStatement: Statement = {
  name: 'pending_delivery_release',
  text: `
    update pending_delivery c set lease_token = null
      from unnest($1::text[], $2::bigint[]) i (id, token)
     where c.id = any ($1::text[]) and c.id = i.id and c.lease_token = i.token`,
};

/** `others` selects the other ready deliveries of the endpoint. */
const deferStatement: Statement = {
  name: 'pending_delivery_defer',
  text: `
    with others as (
      select c.id from pending_delivery c
       where c.ready and c.lease_token is null and c.lane = $4 and c.account_id = $5
         and c.endpoint_id = $6
       order by c.due_at limit $7 for update skip locked
    )
    update pending_delivery c
       set ready = false, lease_token = null,
           due_at = greatest(now() + $3::int * interval '1 millisecond',
                             (select l.until from lease l where l.token = $2))
     where c.id = any (array(select o.id from others o union all select $1))
       and (c.lease_token = $2 or c.id in (select o.id from others o))`,
};

/** Deliveries of the same endpoint that one call defers, at most. */
const deferBatch = 1_000;

/** How long the deliveries of one lane to an endpoint wait. */
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
 * @param endpoint makes it wait longer, and with it the ready deliveries of its endpoint, at most
 *   {@link deferBatch}: claiming them one by one would only show the same
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

/** A claim that PostgreSQL had carried out, although its answer was lost. */
export interface ReleasedClaim {
  readonly token: number;
  /** How many pending deliveries were released. */
  readonly pendingDeliveries: number;
}

/**
 * Takes the token of a lease from every pending delivery (`held`, `released`) and deletes the lease in the same
 * statement. `unconfirmed` locks the lease, so polls that end leases skip it meanwhile.
 */
const releaseByTokenStatement: Statement = {
  name: 'pending_delivery_release_unconfirmed',
  text: `
    with unconfirmed as (
      select l.token, l.pending_delivery_ids from lease l
       where l.token = any ($1::bigint[]) order by l.token for update
    ), held as (
      select c.id, u.token from unconfirmed u cross join lateral (
        select c.id from pending_delivery c where c.id = any (u.pending_delivery_ids) and c.lease_token = u.token) c
    ), released as (
      update pending_delivery c set lease_token = null
       where c.id = any (array(select h.id from held h))
         and c.lease_token = any ($1::bigint[])
    ), deleted as (
      delete from lease l where l.token = any (array(select u.token from unconfirmed u))
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
export function releaseUnconfirmed(
  read: Read,
  tokens: readonly number[],
): Promise<ReleasedClaim[]> {
  return read.sql<ReleasedClaim>(releaseByTokenStatement, [tokens]);
}
