import type { Checkout } from '../../src/domain/checkout/checkout.entity.js';
import type { Order } from '../../src/domain/payment/order.entity.js';
import { entityOf } from '../../src/domain/typeorm.js';
import { makeId } from '../../src/domain/id.js';
import { Offer } from '../../src/domain/offer/offer.entity.js';
import { offerUrl } from '../../src/domain/offer/offers.js';
import type { Random } from './random.js';
import type { Cart } from './purchase.js';
import type { TimeWindowPlan } from './time-window-plan.js';

/** The outcomes of an offer that is not accepted. */
export const unacceptedOutcomes = ['draft', 'sent', 'cancelled', 'expired'] as const;

const dayMs = 86_400_000;
const longLifetimeMs = 300 * dayMs;
const shortLifetimeMs = 14 * dayMs;

/** Drafts an offer of `cart` at the time `at`; it has no position yet. */
export function draftOffer(
  { account: accountId }: TimeWindowPlan,
  random: Random,
  { buyer, lineItems, metadata, totals }: Cart,
  at: Date,
): Offer {
  return entityOf(Offer, {
    id: makeId('off', at),
    accountId,
    position: 0,
    recipientEmail: buyer.email,
    title: `${lineItems[0]?.product.name ?? 'Everything'}, for ${buyer.name ?? buyer.email}`,
    message: random.boolean(0.5) ? 'As we said on the phone.\nWe look forward to it.' : null,
    metadata,
    lineItems,
    totals,
    sendCount: 0,
    sentAt: null,
    acceptedAt: null,
    cancelledAt: null,
    orderId: null,
    expiresAt: new Date(at.getTime() + longLifetimeMs),
    createdAt: at,
    updatedAt: at,
  });
}

/** Applies an outcome within `lifeMs`. An offer expires only if its short lifetime ended before now. */
export function applyOutcome(
  offer: Offer,
  outcome: (typeof unacceptedOutcomes)[number],
  { now }: TimeWindowPlan,
  lifeMs: number,
): void {
  if (outcome === 'draft') return;
  markSentAfter(offer, Math.floor(lifeMs / 2));
  if (outcome === 'cancelled') {
    offer.cancelledAt = new Date(offer.createdAt.getTime() + lifeMs - 1);
    offer.updatedAt = offer.cancelledAt;
  }
  const end = offer.createdAt.getTime() + shortLifetimeMs;
  if (outcome === 'expired' && end < now.getTime()) offer.expiresAt = new Date(end);
}

/** Marks a draft as sent `ms` after its creation. @returns the time of sending */
export function markSentAfter(offer: Offer, ms: number): Date {
  offer.sendCount = 1;
  offer.sentAt = new Date(offer.createdAt.getTime() + ms);
  offer.updatedAt = offer.sentAt;
  return offer.sentAt;
}

/** Turns a checkout into the one that accepts an offer. */
export function linkToOffer(checkout: Checkout, offer: Offer, { baseUrl }: TimeWindowPlan): void {
  const address = offerUrl(baseUrl, offer.id);
  Object.assign(checkout, {
    offerId: offer.id,
    successUrl: address,
    cancelUrl: address,
    buyerEmail: offer.recipientEmail,
    buyerEmailLocked: true,
    embedOrigin: null,
    externalReference: '',
  });
}

/** Records the order that accepted an offer. */
export function accept(offer: Offer, { id, completedAt }: Order): void {
  offer.orderId = id;
  offer.acceptedAt = completedAt;
  offer.updatedAt = completedAt;
}
