import { type Page, pageOf, type PageRequest, pageStart } from '../cursor-page.js';
import type { Read, Statement } from '../tx.js';
import { checkoutColumns, type CheckoutRow, checkoutView, type CheckoutView } from './checkouts.js';
import { checkoutJoinOffer } from './checkout-status.js';

const listStatement: Statement = {
  name: 'checkout_list',
  text: `
    select ${checkoutColumns}, "offerClosed", "offerExpiresAt" from ${checkoutJoinOffer}
     where account_id = $1 and id < $2 order by id desc limit $3`,
};

const greaterThanAnyId = 'chk~';

/**
 * Lists the checkouts of an account, newest first, each with its status at this moment.
 * @throws DomainError validation_failed for an invalid page
 */
export async function listCheckouts(
  read: Read,
  account: string,
  request: PageRequest,
): Promise<Page<CheckoutView>> {
  const scope = { list: 'checkouts', account, filter: undefined };
  const before = pageStart(read, scope, request) ?? greaterThanAnyId;
  const values = [account, before, request.limit + 1];
  const rows = await read.sql<CheckoutRow>(listStatement, values);
  const views = rows.map((row) => checkoutView(row, read.rules.baseUrl));
  return pageOf(read, scope, request.limit, views);
}
