import type { Read, Statement } from '../../tx.js';

const deleteStatement: Statement = {
  name: 'lease_delete',
  text: 'delete from lease l where l.token = any ($1::bigint[])',
};

/**
 * Deletes leases that no pending delivery needs, so that no poll has to look up what is left of
 * them when they end. A pending delivery that still held one of these tokens would never be sent
 * again.
 */
export async function deleteLeases(read: Read, tokens: readonly number[]): Promise<void> {
  if (tokens.length > 0) await read.sql(deleteStatement, [tokens]);
}
