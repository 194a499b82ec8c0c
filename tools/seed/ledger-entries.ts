import type { Checkout } from '../../src/domain/checkout/checkout.entity.js';
import { Invoice } from '../../src/domain/commerce/invoice.entity.js';
import { Order } from '../../src/domain/commerce/order.entity.js';
import { Payment, type PaymentStatus } from '../../src/domain/commerce/payment.entity.js';
import { Refund } from '../../src/domain/commerce/refund.entity.js';
import { Totals } from '../../src/domain/commerce/totals.entity.js';
import { entityOf } from '../../src/domain/entity-of.js';
import type { Random } from './random.js';
import type { PlannedRefund, Purchase } from './purchase.js';
import type { TimeWindowPlan } from './time-window-plan.js';

/** A paid checkout and what the payment made. */
export interface Sale {
  readonly checkout: Checkout;
  readonly order: Order;
  /** As the refunds of the stretch left it. */
  readonly payment: Payment;
  readonly invoice: Invoice;
}

/** A refund and its credit note. */
export interface RefundEntry {
  readonly refund: Refund;
  readonly creditNote: Invoice;
  /** The payment as this refund left it. */
  readonly paymentAfter: Pick<Payment, 'id' | 'status' | 'amountMinorUnits' | 'refundedMinorUnits'>;
}

const dayMs = 86_400_000;

/** The order of a checkout that was paid `at`. */
export function orderOf(
  { account: accountId, makeId }: TimeWindowPlan,
  position: number,
  checkout: Checkout,
  { buyer, metadata, affiliate, lineItems, totals }: Purchase,
  at: Date,
): Order {
  return entityOf(Order, {
    id: makeId('ord', at),
    ...{ accountId, position },
    checkoutId: checkout.id,
    externalReference: checkout.externalReference,
    ...{ buyer, metadata, affiliate, lineItems, totals },
    createdAt: at,
    completedAt: at,
  });
}

/** The payment of an order, booked some days later if they are over. */
export function paymentOf(
  { makeId, now }: TimeWindowPlan,
  position: number,
  random: Random,
  order: Order,
  { feeMinorUnits, method, chargedBack }: Purchase,
): Payment {
  const { currency, totalMinorUnits: amountMinorUnits } = order.totals;
  const cashFlowDate = new Date(order.createdAt.getTime() + random.integer(2, 7) * dayMs);
  return entityOf(Payment, {
    id: makeId('pay', order.createdAt),
    accountId: order.accountId,
    position,
    orderId: order.id,
    status: chargedBack ? 'charged_back' : 'succeeded',
    ...{ currency, amountMinorUnits, feeMinorUnits, method },
    refundedMinorUnits: 0,
    netMinorUnits: amountMinorUnits - feeMinorUnits,
    buyerEmail: order.buyer.email,
    key: null,
    fingerprint: null,
    createdAt: order.createdAt,
    cashFlowAt: cashFlowDate.getTime() <= now.getTime() ? cashFlowDate : null,
  });
}

/** What of a payment was given back `at`. */
export function refundOf(
  { makeId }: TimeWindowPlan,
  position: number,
  { id: paymentId, accountId, orderId, currency }: Payment,
  { amountMinorUnits, reason, note }: PlannedRefund,
  at: Date,
): Refund {
  return entityOf(Refund, {
    id: makeId('rfd', at),
    position,
    status: 'succeeded',
    ...{ accountId, paymentId, orderId, currency, amountMinorUnits, reason, note },
    createdAt: at,
    cashFlowAt: at,
  });
}

/** What of an order's payment a document is about. */
export interface DocumentOf {
  readonly order: Order;
  readonly payment: Payment;
  readonly totals: Totals;
  /** Null: the invoice. */
  readonly refundId: string | null;
  readonly at: Date;
}

/** The invoice or, of a refund, the credit note with that position and number. */
export function documentOf(
  { makeId }: TimeWindowPlan,
  position: number,
  count: number,
  { order: { accountId, id: orderId, buyer }, payment, totals, refundId, at }: DocumentOf,
): Invoice {
  return entityOf(Invoice, {
    id: makeId('inv', at),
    position,
    number: `${refundId === null ? 'INV' : 'CN'}-${String(count).padStart(6, '0')}`,
    type: refundId === null ? 'invoice' : 'credit_note',
    paymentId: payment.id,
    ...{ accountId, orderId, refundId, buyer, totals },
    issuedAt: at,
    createdAt: at,
  });
}

/** What a payment is called once something of it was given back. */
export function refundedStatus({ refundedMinorUnits, amountMinorUnits }: Payment): PaymentStatus {
  return refundedMinorUnits === amountMinorUnits ? 'refunded' : 'partially_refunded';
}

/** What is left of totals, in each of their amounts. */
export function subtractTotals(integer: Totals, part: Totals): Totals {
  return entityOf(Totals, {
    currency: integer.currency,
    subtotalMinorUnits: integer.subtotalMinorUnits - part.subtotalMinorUnits,
    discountMinorUnits: integer.discountMinorUnits - part.discountMinorUnits,
    shippingMinorUnits: integer.shippingMinorUnits - part.shippingMinorUnits,
    taxMinorUnits: integer.taxMinorUnits - part.taxMinorUnits,
    totalMinorUnits: integer.totalMinorUnits - part.totalMinorUnits,
  });
}
