import { checkoutData } from './event-data.js';
import { DomainError } from '../errors.js';
import { publishEvent } from '../event/publish.js';
import { singleRow } from '../rows.js';
import type { Read, Statement, Tx } from '../tx.js';
import type { Checkout } from './checkout.entity.js';
import { checkoutColumns } from './checkouts.js';

/** At most this many checkouts in one call. */
export const expiryBatchSize = 100;

// Skips locked rows and those changed after this statement began: a buyer pays or visits the checkout, or
// another worker expires it. The next call finds what remains.
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

/** In SQL: a checkout has reached its expiry without an order. */
export const expirableCheckouts = `exists (
           select from checkout d
            where d.order_id is null and d.expired_at is null and d.expires_at <= now())`;

const expirableStatement: Statement = {
  name: 'checkout-any-expirable',
  text: `select ${expirableCheckouts} as "any"`,
};

/** Whether {@link expireCheckouts} may find one, in one round trip. */
export async function hasExpirableCheckouts(read: Read): Promise<boolean> {
  return (await singleRow<{ any: boolean }>(read, expirableStatement)).any;
}

/**
 * Marks checkouts that reached their expiry without an order, the oldest first. For each it publishes
 * `cart.checkout.expired` in the same transaction: exactly once, even when several workers look.
 * @returns how many it marked; 0 means that only locked ones can remain
 */
export async function expireCheckouts(tx: Tx): Promise<number> {
  const expired = await tx.sql<Checkout>(markExpiredStatement, [expiryBatchSize]);
  const sorted = expired.sort((one, other) => Number(one.expiresAt) - Number(other.expiresAt));
  for (const checkout of sorted) {
    await publishEvent(tx, checkout.accountId, {
      type: 'cart.checkout.expired',
      subject: `checkout:${checkout.id}`,
      data: checkoutData(checkout),
    }).catch(ignoreErased);
  }
  return expired.length;
}

/** An account that is being erased takes no event; those of the other accounts are published. */
function ignoreErased(error: unknown): void {
  if (!(error instanceof DomainError && error.code === 'not_found')) throw error;
}
