import { Checkout } from '../checkout/checkout.entity.js';
import { entityOf } from '../entity.js';
import { Offer } from '../offer/offer.entity.js';
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
} from './event-data.js';
import { Invoice } from './invoice.entity.js';
import type { LineItem } from './line-item.js';
import { Order } from './order.entity.js';
import { Payment } from './payment.entity.js';
import { Refund } from './refund.entity.js';
import { Totals } from './totals.entity.js';

const currency = 'EUR';
const buyer = { email: 'buyer@example.com', name: 'Test Buyer', country: 'DE' };
const lineItems: readonly LineItem[] = [
  {
    product: { id: 'prod_test', name: 'Test product' },
    quantity: 1,
    unitAmountMinorUnits: 10_000,
    discountMinorUnits: 0,
    taxMinorUnits: 1_900,
    taxPercentage: '19.00',
    totalMinorUnits: 11_900,
  },
];
const totals = entityOf(Totals, {
  currency,
  subtotalMinorUnits: 10_000,
  discountMinorUnits: 0,
  shippingMinorUnits: 0,
  taxMinorUnits: 1_900,
  totalMinorUnits: 11_900,
});

/**
 * Made-up `data` for a test event (H68), made like the data of real ones; its ids name nothing.
 * @param at when it is said to have happened
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
          amountMinorUnits: totals.totalMinorUnits,
          refundedMinorUnits: totals.totalMinorUnits,
        },
        buyer,
      );
    case 'invoice.credit_note.issued':
      return creditNoteIssuedData(sampleCreditNote(at));
    case 'offer.created':
      return offerData(sampleOffer(at), at);
    case 'offer.sent':
      return offerData(Object.assign(sampleOffer(at), sentOnce(at)), at);
    case 'offer.cancelled':
      return offerData(Object.assign(sampleOffer(at), { cancelledAt: at }), at);
    case 'offer.accepted': {
      const accepted = { ...sentOnce(at), acceptedAt: at, orderId: order.id };
      return offerAcceptedData(Object.assign(sampleOffer(at), accepted), order);
    }
    default:
      return undefined;
  }
}

const accountId = 'acc_test';
const same = { accountId, externalReference: 'test', metadata: { test: 'true' }, affiliate: null };

function sampleCheckout(at: Date): Checkout {
  return entityOf(Checkout, {
    ...same,
    id: 'chk_test0000',
    successUrl: 'https://shop.example/thanks',
    cancelUrl: '',
    embedOrigin: null,
    buyerEmail: buyer.email,
    buyerEmailLocked: false,
    lineItems,
    offerId: null,
    orderId: 'ord_test',
    createdAt: at,
    expiresAt: new Date(at.getTime() + 1_800_000),
    visitedAt: null,
    expiredAt: null,
    totals,
  });
}

function sampleOrder(at: Date): Order {
  return entityOf(Order, {
    ...same,
    id: 'ord_test',
    position: 1,
    checkoutId: 'chk_test0000',
    buyer,
    lineItems,
    createdAt: at,
    completedAt: at,
    totals,
  });
}

function samplePayment(at: Date): Payment {
  return entityOf(Payment, {
    id: 'pay_test',
    accountId,
    position: 1,
    orderId: 'ord_test',
    status: 'succeeded',
    currency,
    amountMinorUnits: totals.totalMinorUnits,
    refundedMinorUnits: 0,
    feeMinorUnits: 0,
    netMinorUnits: totals.totalMinorUnits,
    method: 'card',
    buyerEmail: buyer.email,
    key: null,
    fingerprint: null,
    createdAt: at,
    cashFlowAt: at,
  });
}

function sampleRefund(at: Date): Refund {
  return entityOf(Refund, {
    id: 'rfd_test',
    accountId,
    position: 1,
    paymentId: 'pay_test',
    orderId: 'ord_test',
    status: 'succeeded',
    currency,
    amountMinorUnits: totals.totalMinorUnits,
    reason: 'requested_by_customer',
    note: null,
    createdAt: at,
    cashFlowAt: at,
  });
}

function sampleInvoice(at: Date): Invoice {
  return entityOf(Invoice, {
    id: 'inv_test',
    accountId,
    position: 1,
    number: 'INV-000000',
    type: 'invoice',
    orderId: 'ord_test',
    paymentId: 'pay_test',
    refundId: null,
    buyer,
    issuedAt: at,
    createdAt: at,
    totals,
  });
}

function sampleCreditNote(at: Date): Invoice {
  const note = { type: 'credit_note', number: 'CN-000000', refundId: 'rfd_test' } as const;
  return Object.assign(sampleInvoice(at), note);
}

const sentOnce = (at: Date) => ({ sendCount: 1, sentAt: at });

function sampleOffer(at: Date): Offer {
  return entityOf(Offer, {
    id: 'off_test',
    accountId,
    position: 1,
    recipientEmail: buyer.email,
    title: 'Test offer',
    message: null,
    metadata: same.metadata,
    lineItems,
    sendCount: 0,
    sentAt: null,
    acceptedAt: null,
    cancelledAt: null,
    expiresAt: new Date(at.getTime() + 30 * 86_400_000),
    orderId: null,
    createdAt: at,
    updatedAt: at,
    totals,
  });
}
