import { type EventData, lineItemData, totalsData } from '../checkout/event-data.js';
import type { Order } from '../commerce/order.entity.js';
import type { Offer } from './offer.entity.js';
import { type OfferStatus, statusOf } from './offer-status.js';

/**
 * Builds the `data` of `offer.created` v1, `offer.sent` v1 and `offer.cancelled` v1. It leaves out the
 * message, which is only for the recipient.
 * @param now the instant of its status
 */
export function offerData(offer: Offer, now: Date): EventData {
  return toEventData(offer, statusOf(offer, now));
}

/** Builds the `data` of `offer.accepted` v1: that of an offer, and the order that its payment made. */
export function offerAcceptedData(offer: Offer, { id, checkoutId }: Order): EventData {
  return {
    ...toEventData(offer, 'accepted'),
    order: { id, object: 'order' },
    checkout: { id: checkoutId, object: 'checkout' },
  };
}

function toEventData(offer: Offer, status: OfferStatus): EventData {
  return {
    offer: {
      id: offer.id,
      object: 'offer',
      status,
      recipient_email: offer.recipientEmail,
      title: offer.title,
      send_count: offer.sendCount,
      sent_at: offer.sentAt?.toISOString() ?? null,
      accepted_at: offer.acceptedAt?.toISOString() ?? null,
      cancelled_at: offer.cancelledAt?.toISOString() ?? null,
      expires_at: offer.expiresAt.toISOString(),
      created_at: offer.createdAt.toISOString(),
    },
    metadata: offer.metadata,
    currency: offer.totals.currency,
    totals: totalsData(offer.totals),
    line_items: offer.lineItems.map(lineItemData),
  };
}
