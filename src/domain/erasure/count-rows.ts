import { getAccount } from '../account/accounts.js';
import { ownedTables } from '../account/owned-tables.js';
import type { Read } from '../tx.js';
import type { RowCounts } from './stage.js';

/**
 * Counts the rows that an account has now, by table. Reads all of them.
 * @throws DomainError not_found
 */
export async function countRows(read: Read, accountId: string): Promise<RowCounts> {
  const { id } = await getAccount(read, accountId);
  const counts: Record<string, number> = {};
  for (const { name } of ownedTables(read)) {
    const text = `select count(*)::int as rows from "${name}" r where r.account_id = $1`;
    const [row] = await read.sql<{ rows: number }>({ name: `erasure_count_${name}`, text }, [id]);
    if (row && row.rows > 0) counts[name] = row.rows;
  }
  return counts;
}
