import { recordChange } from '../audit/record-change.js';
import type { Statement, Tx } from '../tx.js';
import type { Account } from './account.entity.js';
import { getAccount } from './accounts.js';

const setStatement: Statement = {
  name: 'account_set_sends_traceparent',
  text: `update account set sends_traceparent = $2 where id = $1 and sends_traceparent <> $2 returning id`,
};

/**
 * Sets whether receivers of the account get the trace of an event as `traceparent` (W3C Trace
 * Context §3.2). Deliveries that workers have claimed already follow the setting before.
 * @throws DomainError not_found
 */
export async function setSendsTraceparent(
  tx: Tx,
  account: string,
  sends: boolean,
): Promise<Account> {
  await getAccount(tx, account);
  if ((await tx.sql(setStatement, [account, sends])).length > 0) {
    const changes = [{ field: 'sends_traceparent', from: String(!sends), to: String(sends) }];
    recordChange(tx, { action: 'account_updated', account, resource: account, changes });
  }
  return getAccount(tx, account);
}
