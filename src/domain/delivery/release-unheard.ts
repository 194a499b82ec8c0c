import type { Read, Statement } from '../tx.js';

/** A claim whose answer never came, and that had been carried out. */
export interface ReleasedClaim {
  readonly token: number;
  /** Chains that were given back. */
  readonly chains: number;
}

/**
 * The lease goes in the statement that takes its token from every chain, and whoever ends leases
 * passes over it meanwhile: a chain whose token no lease names would never be sent again.
 */
const releaseStatement: Statement = {
  name: 'chain_release_unheard',
  text: `
    with unheard as (
      select l.token, l.chain_ids from lease l
       where l.token = any ($1::bigint[]) order by l.token for update
    ), held as (
      select c.id, u.token from unheard u cross join lateral (
        select c.id from chain c where c.id = any (u.chain_ids) and c.lease_token = u.token) c
    ), given_back as (
      update chain c set lease_token = null
       where c.id = any (array(select h.id from held h))
         and c.lease_token = any ($1::bigint[])
    ), forgotten as (
      delete from lease l where l.token = any (array(select u.token from unheard u))
      returning l.token
    )
    select f.token, (select count(*)::int from held h where h.token = f.token) as chains
      from forgotten f`,
};

/**
 * Gives back everything that was claimed under these tokens and not heard of, as if it had never been
 * claimed: it keeps its place in the queue and does not count as interrupted.
 * @returns the claims that had been carried out; the others may still be under way
 */
export function releaseUnheard(read: Read, tokens: readonly number[]): Promise<ReleasedClaim[]> {
  return read.sql<ReleasedClaim>(releaseStatement, [tokens]);
}
