import { offerAcceptedData, offerData } from '../offer/offer-data.js';
import {
  checkoutData,
  creditNoteIssuedData,
  type EventData,
  invoiceIssuedData,
  legacyOrderCompletedData,
  orderCompletedData,
  refundCreatedData,
  saleSucceededData,
} from '../checkout/event-data.js';
import {
  sampleBuyer,
  sampleCheckout,
  sampleCreditNote,
  sampleInvoice,
  sampleOffer,
  sampleOrder,
  samplePayment,
  sampleRefund,
  sampleTotals,
  sentOfferFields,
} from './sample-rows.js';

/**
 * Builds the `data` of a test event in the form of real data. Its ids refer to nothing.
 * @param at when the event claims to have happened
 * @returns undefined for a type that the service does not send
 */
export function sampleData(type: string, at: Date): EventData | undefined {
  const checkout = sampleCheckout(at);
  const order = sampleOrder(at);
  const payment = samplePayment(at);
  switch (type) {
    case 'cart.checkout.created':
    case 'cart.checkout.expired':
      return checkoutData(checkout);
    case 'cart.order.completed':
      return orderCompletedData(checkout, order, payment);
    case 'order.completed':
      return legacyOrderCompletedData(checkout, order, payment);
    case 'payment.sale.succeeded':
      return saleSucceededData(checkout, order, payment);
    case 'invoice.issued':
      return invoiceIssuedData(sampleInvoice(at));
    case 'payment.refund.created':
      return refundCreatedData(
        sampleRefund(at),
        {
          id: payment.id,
          status: 'refunded',
          amountMinorUnits: sampleTotals.totalMinorUnits,
          refundedMinorUnits: sampleTotals.totalMinorUnits,
        },
        sampleBuyer,
      );
    case 'invoice.credit_note.issued':
      return creditNoteIssuedData(sampleCreditNote(at));
    case 'offer.created':
      return offerData(sampleOffer(at), at);
    case 'offer.sent':
      return offerData(Object.assign(sampleOffer(at), sentOfferFields(at)), at);
    case 'offer.cancelled':
      return offerData(Object.assign(sampleOffer(at), { cancelledAt: at }), at);
    case 'offer.accepted': {
      const accepted = { ...sentOfferFields(at), acceptedAt: at, orderId: order.id };
      return offerAcceptedData(Object.assign(sampleOffer(at), accepted), order);
    }
    default:
      return undefined;
  }
}
