import type { Order } from '../commerce/order.entity.js';
import { publishEvent } from '../event/publish.js';
import type { Tx } from '../tx.js';
import { changeOffer } from './change-offer.js';
import type { Offer } from './offer.entity.js';
import { offerAcceptedData } from './offer-data.js';

/**
 * Records that the payment of `order` accepts the offer, and publishes `offer.accepted`.
 * The caller has locked the offer and checked that it is open.
 */
export async function acceptOffer(tx: Tx, offer: Offer, order: Order): Promise<void> {
  const { completedAt: acceptedAt, id: orderId } = order;
  await changeOffer(tx, offer, acceptedAt, { acceptedAt, orderId });
  await publishEvent(tx, offer.accountId, {
    type: 'offer.accepted',
    subject: `offer:${offer.id}`,
    data: offerAcceptedData(offer, order),
  });
}
