import type { Read, Statement } from '../../tx.js';

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
