import { notFound } from './errors.js';
import { isId } from './id.js';
import type { Read } from './tx.js';

const ownStatement = {
  name: 'endpoint-own',
  text: 'select from endpoint where id = $1 and account_id = $2',
};

/**
 * Checks that an endpoint is the account's. A deleted one counts as long as its row is kept.
 * @throws DomainError not_found
 */
export async function requireOwnEndpoint(read: Read, account: string, id: string): Promise<void> {
  const found = isId('whs', id) ? await read.sql(ownStatement, [id, account]) : [];
  if (found.length === 0) throw notFound('webhook endpoint');
}
