import type { Read, Statement } from '../tx.js';

const forgetStatement: Statement = {
  name: 'lease_forget',
  text: 'delete from lease l where l.token = any ($1::bigint[])',
};

/**
 * Forgets leases that no chain needs any more, so that nobody has to look at their end which of their
 * chains are left. A chain that still held one of these tokens would never be sent again.
 */
export async function forgetLeases(read: Read, tokens: readonly number[]): Promise<void> {
  if (tokens.length > 0) await read.sql(forgetStatement, [tokens]);
}
