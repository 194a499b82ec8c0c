import { rowById } from './rows.js';
import type { Read } from './tx.js';

const findStatement = {
  name: 'account_endpoint',
  text: 'select from endpoint where id = $1 and account_id = $2',
};

/**
 * Checks that an endpoint is the account's. A deleted one counts as long as its row is kept.
 * @throws DomainError not_found
 */
export async function requireAccountEndpoint(
  read: Read,
  account: string,
  id: string,
): Promise<void> {
  await rowById(read, 'whs', findStatement, [id, account]);
}
