import type { Order } from '../commerce/order.entity.js';
import { publishEvent } from '../event/publish.js';
import type { Statement, Tx } from '../tx.js';
import type { Offer } from './offer.entity.js';
import { offerAcceptedData } from './offer-data.js';

const markAcceptedStatement: Statement = {
  name: 'offer-accepted',
  text: `
    update offer set accepted_at = $2, order_id = $3,
           updated_at = greatest($2, updated_at + interval '1 millisecond')
     where id = $1
    returning accepted_at as "acceptedAt", order_id as "orderId", updated_at as "updatedAt"`,
};

/**
 * Records that the payment of `order` accepts the offer, and publishes `offer.accepted`.
 * The caller has locked the offer and checked that it is open.
 */
export async function acceptOffer(tx: Tx, offer: Offer, order: Order): Promise<void> {
  Object.assign(
    offer,
    ...(await tx.sql(markAcceptedStatement, [offer.id, order.completedAt, order.id])),
  );
  await publishEvent(tx, offer.accountId, {
    type: 'offer.accepted',
    subject: `offer:${offer.id}`,
    data: offerAcceptedData(offer, order),
  });
}
