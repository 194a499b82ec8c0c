import type { Read, Statement } from '../tx.js';
import type { Claim } from './claim.js';

const releaseStatement: Statement = {
  name: 'chain_release',
  text: `
    update chain c set ready = true, lease_token = null, due_at = now()
      from unnest($1::text[], $2::bigint[]) i (id, token)
     where c.id = i.id and c.lease_token = i.token`,
};

/**
 * Gives claims back whose attempt was not started, so that another process takes them at once; they
 * do not count as interrupted. Claims that were lost meanwhile are left alone.
 */
export async function releaseClaims(read: Read, claims: readonly Claim[]): Promise<void> {
  if (claims.length === 0) return;
  await read.sql(releaseStatement, [
    claims.map(({ chainId }) => chainId),
    claims.map(({ token }) => token),
  ]);
}
