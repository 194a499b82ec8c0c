import { Checkout } from '../../src/domain/checkout/checkout.entity.js';
import { entityOf } from '../../src/domain/typeorm.js';
import { makeId } from '../../src/domain/id.js';
import { Random } from './random.js';
import { type Cart, cartOf } from './purchase.js';

export const lifetimeMs = 30 * 60_000;

const minuteMs = 60_000;

/** Generates unpaid checkouts that stay open for at least ten minutes after `now`. */
export function openCheckouts(account: string, seed: number, count: number, now: Date): Checkout[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => {
    const createdAt = new Date(now.getTime() - random.integer(1, 20) * minuteMs);
    return checkoutOf(account, random, cartOf(random), createdAt);
  });
}

/** A checkout of a cart, unpaid and not visited. Its id is a secret, so the seed does not decide it. */
export function checkoutOf(
  accountId: string,
  random: Random,
  { buyer, metadata, affiliate, lineItems, totals }: Cart,
  createdAt: Date,
): Checkout {
  return entityOf(Checkout, {
    id: makeId('chk', createdAt),
    accountId,
    successUrl: 'https://shop.example/thanks',
    cancelUrl: 'https://shop.example/cart',
    embedOrigin: random.boolean(0.2) ? 'https://shop.example' : null,
    externalReference: `cart-${String(metadata['cart'])}`,
    buyerEmail: random.boolean(0.5) ? buyer.email : null,
    buyerEmailLocked: false,
    metadata,
    affiliate,
    lineItems,
    totals,
    orderId: null,
    offerId: null,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + lifetimeMs),
    visitedAt: null,
    expiredAt: null,
  });
}
