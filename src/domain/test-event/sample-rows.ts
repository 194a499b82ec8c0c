import { Checkout } from '../checkout/checkout.entity.js';
import { entityOf } from '../entity-of.js';
import { Offer } from '../offer/offer.entity.js';
import { Invoice } from '../commerce/invoice.entity.js';
import type { LineItem } from '../commerce/line-item.js';
import { Order } from '../commerce/order.entity.js';
import { Payment } from '../commerce/payment.entity.js';
import { Refund } from '../commerce/refund.entity.js';
import { Totals } from '../commerce/totals.entity.js';

const currency = 'EUR';
/** The buyer in sample rows. */
export const sampleBuyer = { email: 'buyer@example.com', name: 'Test Buyer', country: 'DE' };
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
/** The amounts in sample rows. */
export const sampleTotals = entityOf(Totals, {
  currency,
  subtotalMinorUnits: 10_000,
  discountMinorUnits: 0,
  shippingMinorUnits: 0,
  taxMinorUnits: 1_900,
  totalMinorUnits: 11_900,
});

const accountId = 'acc_test';
const shared = {
  accountId,
  externalReference: 'test',
  metadata: { test: 'true' },
  affiliate: null,
};

/** A checkout that was paid. */
export function sampleCheckout(at: Date): Checkout {
  return entityOf(Checkout, {
    ...shared,
    id: 'chk_test0000',
    successUrl: 'https://shop.example/thanks',
    cancelUrl: '',
    embedOrigin: null,
    buyerEmail: sampleBuyer.email,
    buyerEmailLocked: false,
    lineItems,
    offerId: null,
    orderId: 'ord_test',
    createdAt: at,
    expiresAt: new Date(at.getTime() + 1_800_000),
    visitedAt: null,
    expiredAt: null,
    totals: sampleTotals,
  });
}

/** The order of {@link sampleCheckout}. */
export function sampleOrder(at: Date): Order {
  return entityOf(Order, {
    ...shared,
    id: 'ord_test',
    position: 1,
    checkoutId: 'chk_test0000',
    buyer: sampleBuyer,
    lineItems,
    createdAt: at,
    completedAt: at,
    totals: sampleTotals,
  });
}

/** The payment of {@link sampleOrder}. */
export function samplePayment(at: Date): Payment {
  return entityOf(Payment, {
    id: 'pay_test',
    accountId,
    position: 1,
    orderId: 'ord_test',
    status: 'succeeded',
    currency,
    amountMinorUnits: sampleTotals.totalMinorUnits,
    refundedMinorUnits: 0,
    feeMinorUnits: 0,
    netMinorUnits: sampleTotals.totalMinorUnits,
    method: 'card',
    buyerEmail: sampleBuyer.email,
    key: null,
    fingerprint: null,
    createdAt: at,
    cashFlowAt: at,
  });
}

/** A full refund of {@link samplePayment}. */
export function sampleRefund(at: Date): Refund {
  return entityOf(Refund, {
    id: 'rfd_test',
    accountId,
    position: 1,
    paymentId: 'pay_test',
    orderId: 'ord_test',
    status: 'succeeded',
    currency,
    amountMinorUnits: sampleTotals.totalMinorUnits,
    reason: 'requested_by_customer',
    note: null,
    createdAt: at,
    cashFlowAt: at,
  });
}

/** The invoice of {@link sampleOrder}. */
export function sampleInvoice(at: Date): Invoice {
  return entityOf(Invoice, {
    id: 'inv_test',
    accountId,
    position: 1,
    number: 'INV-000000',
    type: 'invoice',
    orderId: 'ord_test',
    paymentId: 'pay_test',
    refundId: null,
    buyer: sampleBuyer,
    issuedAt: at,
    createdAt: at,
    totals: sampleTotals,
  });
}

/** The credit note of {@link sampleRefund}. */
export function sampleCreditNote(at: Date): Invoice {
  const note = { type: 'credit_note', number: 'CN-000000', refundId: 'rfd_test' } as const;
  return Object.assign(sampleInvoice(at), note);
}

/** What changes when an offer is sent once. */
export const sentOfferFields = (at: Date) => ({ sendCount: 1, sentAt: at });

/** An offer that is a draft. */
export function sampleOffer(at: Date): Offer {
  return entityOf(Offer, {
    id: 'off_test',
    accountId,
    position: 1,
    recipientEmail: sampleBuyer.email,
    title: 'Test offer',
    message: null,
    metadata: shared.metadata,
    lineItems,
    sendCount: 0,
    sentAt: null,
    acceptedAt: null,
    cancelledAt: null,
    expiresAt: new Date(at.getTime() + 30 * 86_400_000),
    orderId: null,
    createdAt: at,
    updatedAt: at,
    totals: sampleTotals,
  });
}
