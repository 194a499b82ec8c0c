import { smallestId } from '../id.js';
import type { Statement, Tx } from '../tx.js';

const retentionMs = 366 * 86_400_000;

/**
 * In SQL: true, and from there on the transaction may delete audit entries. A trigger refuses it
 * otherwise.
 */
export const allowAuditDeletes = `(select set_config('signalpost.audit_deletes', 'on', true)) = 'on'`;

const purgeStatement: Statement = {
  name: 'audit_entry_purge',
  text: `
    delete from audit_entry
     where ${allowAuditDeletes} and id = any (array(
       select p.id from audit_entry p where p.id < $1 order by p.id limit $2
          for update skip locked))
    returning id`,
};

/**
 * Deletes at most `limit` audit entries older than a year.
 * @returns how many it deleted
 */
export async function purgeAuditEntries(tx: Tx, limit: number): Promise<number> {
  const before = smallestId('aud', new Date(tx.now.getTime() - retentionMs));
  return (await tx.sql(purgeStatement, [before, limit])).length;
}
