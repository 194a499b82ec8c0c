import { checkoutData } from './event-data.js';
import { publishEvent } from '../event/publish.js';
import type { Statement, Tx } from '../tx.js';
import type { Checkout } from './checkout.entity.js';
import { checkoutColumns } from './checkouts.js';

/** Checkouts that one call notes at most. */
export const expiryBatchSize = 100;

// One that is locked, or was written after this look had begun, is being paid or visited, or noted by another
// worker: the next look finds what is left.
const markExpiredStatement: Statement = {
  name: 'checkout-expire',
  text: `
    with due as (
      select d.ctid as place from checkout d
       where d.order_id is null and d.expired_at is null and d.expires_at <= now()
       order by d.expires_at limit $1 for no key update skip locked
    )
    update checkout set expired_at = now() where ctid = any (array(select place from due))
    returning ${checkoutColumns}`,
};

/**
 * Notes checkouts that reached their expiry without an order, the oldest first, and publishes
 * `cart.checkout.expired` for each in the same transaction: exactly once, whoever looks.
 * @returns how many; none means that none is left but what somebody holds
 */
export async function expireCheckouts(tx: Tx): Promise<number> {
  const expired = await tx.sql<Checkout>(markExpiredStatement, [expiryBatchSize]);
  const sorted = expired.sort((one, other) => Number(one.expiresAt) - Number(other.expiresAt));
  for (const checkout of sorted) {
    await publishEvent(tx, checkout.accountId, {
      type: 'cart.checkout.expired',
      subject: `checkout:${checkout.id}`,
      data: checkoutData(checkout),
    });
  }
  return expired.length;
}
