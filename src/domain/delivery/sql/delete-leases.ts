import type { Read, Statement } from '../../tx.js';

const deleteStatement: Statement = {
  name: 'lease_delete',
  text: 'delete from lease l where l.token = any ($1::bigint[])',
};

/**
 * Forgets leases that no pending delivery needs any more, so that nobody has to look at their end which of their
 * pending deliveries are left. A pending delivery that still held one of these tokens would never be sent again.
 */
export async function deleteLeases(read: Read, tokens: readonly number[]): Promise<void> {
  if (tokens.length > 0) await read.sql(deleteStatement, [tokens]);
}
