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

/** A paid checkout and the entries that its payment created. */
export interface Sale {
  readonly checkout: Checkout;
  readonly order: Order;
  /** After all refunds of the time window. */
  readonly payment: Payment;
  readonly invoice: Invoice;
}

/** A refund and its credit note. */
export interface RefundEntry {
  readonly refund: Refund;
  readonly creditNote: Invoice;
  /** The payment after this refund. */
  readonly paymentAfter: Pick<Payment, 'id' | 'status' | 'amountMinorUnits' | 'refundedMinorUnits'>;
}

const dayMs = 86_400_000;

/** The order of a checkout that was paid at the time `at`. */
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

/** The payment of an order; its cash flow date is some days later, or null if that is in the future. */
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

/** A refund of a payment at the time `at`. */
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

/** The payment, or the refund of it, that a document bills. */
export interface DocumentOf {
  readonly order: Order;
  readonly payment: Payment;
  readonly totals: Totals;
  /** Null for the invoice. */
  readonly refundId: string | null;
  readonly at: Date;
}

/** The invoice, or for a refund the credit note, with this position and number. */
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

/** The status of a payment after a refund. */
export function refundedStatus({ refundedMinorUnits, amountMinorUnits }: Payment): PaymentStatus {
  return refundedMinorUnits === amountMinorUnits ? 'refunded' : 'partially_refunded';
}

/** Subtracts each amount of `part` from that of `whole`. */
export function subtractTotals(whole: Totals, part: Totals): Totals {
  return entityOf(Totals, {
    currency: whole.currency,
    subtotalMinorUnits: whole.subtotalMinorUnits - part.subtotalMinorUnits,
    discountMinorUnits: whole.discountMinorUnits - part.discountMinorUnits,
    shippingMinorUnits: whole.shippingMinorUnits - part.shippingMinorUnits,
    taxMinorUnits: whole.taxMinorUnits - part.taxMinorUnits,
    totalMinorUnits: whole.totalMinorUnits - part.totalMinorUnits,
  });
}
