import type { Checkout } from '../domain/checkout/checkout.entity.js';
import type { Order } from '../domain/commerce/order.entity.js';
import { entityOf } from '../domain/entity.js';
import { Offer } from '../domain/offer/offer.entity.js';
import { offerUrl } from '../domain/offer/offers.js';
import type { Chance } from './chance.js';
import type { Cart } from './purchase.js';
import type { StretchPlan } from './stretch-plan.js';

/** What became of an offer that was not accepted. */
export const offerFates = ['draft', 'sent', 'cancelled', 'expired'] as const;

const dayMs = 86_400_000;
const patient = 300 * dayMs;
const hasty = 14 * dayMs;

/** An offer of that cart, drafted `at`; it has no position yet. */
export function draftOf(
  { account: accountId, makeId }: StretchPlan,
  chance: Chance,
  { buyer, lineItems, metadata, totals }: Cart,
  at: Date,
): Offer {
  return entityOf(Offer, {
    id: makeId('off', at),
    accountId,
    position: 0,
    recipientEmail: buyer.email,
    title: `${lineItems[0]?.product.name ?? 'Everything'}, for ${buyer.name ?? buyer.email}`,
    message: chance.happens(0.5) ? 'As we said on the phone.\nWe look forward to it.' : null,
    ...{ metadata, lineItems, totals },
    sendCount: 0,
    ...{ sentAt: null, acceptedAt: null, cancelledAt: null, orderId: null },
    expiresAt: new Date(at.getTime() + patient),
    createdAt: at,
    updatedAt: at,
  });
}

/** Lets an offer meet its fate, one that takes less than `lifeMs`; expired is what has had the time. */
export function meetFate(
  offer: Offer,
  fate: (typeof offerFates)[number],
  { now }: StretchPlan,
  lifeMs: number,
): void {
  if (fate === 'draft') return;
  sendAfter(offer, Math.floor(lifeMs / 2));
  if (fate === 'cancelled') {
    offer.cancelledAt = new Date(offer.createdAt.getTime() + lifeMs - 1);
    offer.updatedAt = offer.cancelledAt;
  }
  const end = offer.createdAt.getTime() + hasty;
  if (fate === 'expired' && end < now.getTime()) offer.expiresAt = new Date(end);
}

/** Sends a draft so many milliseconds after it was made. */
export function sendAfter(offer: Offer, ms: number): Date {
  offer.sendCount = 1;
  offer.sentAt = new Date(offer.createdAt.getTime() + ms);
  offer.updatedAt = offer.sentAt;
  return offer.sentAt;
}

/** Makes a checkout the one in which an offer is accepted. */
export function leadTo(checkout: Checkout, offer: Offer, { baseUrl }: StretchPlan): void {
  const address = offerUrl(baseUrl, offer.id);
  Object.assign(checkout, {
    ...{ offerId: offer.id, successUrl: address, cancelUrl: address },
    ...{ buyerEmail: offer.recipientEmail, buyerEmailLocked: true },
    ...{ embedOrigin: null, externalReference: '' },
  });
}

/** Notes the order by which an offer was accepted. */
export function accept(offer: Offer, { id, completedAt }: Order): void {
  offer.orderId = id;
  offer.acceptedAt = completedAt;
  offer.updatedAt = completedAt;
}
