import type { Read, Statement } from '../../tx.js';

const extendStatement: Statement = {
  name: 'lease_extend',
  text: `
    update lease l set until = now() + $2::int * interval '1 millisecond'
     where l.token = any ($1::bigint[])
    returning l.token`,
};

/**
 * Lets leases last for `leaseMs` from now: the process that holds them still has to record or give
 * back what it claimed. It writes leases only, so no lock on a pending delivery or a record holds it up.
 * @returns the tokens of leases that had not been ended; claims under the others are lost
 */
export async function extendLeases(
  read: Read,
  tokens: readonly number[],
  leaseMs: number,
): Promise<number[]> {
  const extended = await read.sql<{ token: number }>(extendStatement, [tokens, leaseMs]);
  return extended.map(({ token }) => token);
}
