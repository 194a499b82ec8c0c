// The events of payments and refunds: which are published, in which order, and their `data`.
import type { Checkout } from '../checkout/checkout.entity.js';
import { checkoutReference } from '../checkout/checkouts.js';
import { type EventData, lineItemData, totalsData } from '../commerce/event-data.js';
import type { Buyer } from '../commerce/line-items.js';
import type { PublishInput } from '../event/prepare-event.js';
import type { Invoice, Order, Payment, Refund } from './ledger.entity.js';

/** The rows that a succeeded payment makes. */
export interface CompletedCheckout {
  readonly order: Order;
  readonly payment: Payment;
  readonly invoice: Invoice;
}

/** The events of a completed checkout, in the order in which they are published. */
export function saleEvents(
  checkout: Checkout,
  { order, payment, invoice }: CompletedCheckout,
): readonly PublishInput[] {
  const subject = `order:${order.id}`;
  return [
    {
      type: 'cart.order.completed',
      subject,
      data: orderCompletedData(checkout, order, payment),
    },
    {
      type: 'order.completed',
      subject,
      data: legacyOrderCompletedData(checkout, order, payment),
    },
    {
      type: 'payment.sale.succeeded',
      subject: `payment:${payment.id}`,
      data: saleSucceededData(checkout, order, payment),
    },
    {
      type: 'invoice.issued',
      subject: `invoice:${invoice.id}`,
      data: invoiceIssuedData(invoice),
    },
  ];
}

/** Builds the `data` of `cart.order.completed` v1, with the checkout's metadata as the account sent it. */
function orderCompletedData(checkout: Checkout, order: Order, payment: Payment): EventData {
  return {
    order: {
      id: order.id,
      object: 'order',
      created_at: order.createdAt.toISOString(),
      completed_at: order.completedAt.toISOString(),
    },
    checkout: checkoutReference(checkout),
    metadata: order.metadata,
    currency: order.totals.currency,
    totals: totalsData(order.totals),
    buyer: order.buyer,
    line_items: order.lineItems.map(lineItemData),
    payment: {
      id: payment.id,
      object: 'payment',
      method: payment.method,
      amount_minor_units: payment.amountMinorUnits,
    },
    affiliate: order.affiliate === null ? null : { code: order.affiliate },
  };
}

/** Builds the `data` of the legacy `order.completed` v1: that of `cart.order.completed`, and `order_id`. */
function legacyOrderCompletedData(checkout: Checkout, order: Order, payment: Payment): EventData {
  return { order_id: order.id, ...orderCompletedData(checkout, order, payment) };
}

/** Builds the `data` of `payment.sale.succeeded` v1. */
function saleSucceededData(checkout: Checkout, order: Order, payment: Payment): EventData {
  return {
    payment: {
      id: payment.id,
      object: 'payment',
      status: payment.status,
      method: payment.method,
      amount_minor_units: payment.amountMinorUnits,
      fee_minor_units: payment.feeMinorUnits,
      net_minor_units: payment.netMinorUnits,
      created_at: payment.createdAt.toISOString(),
      cash_flow_at: payment.cashFlowAt?.toISOString() ?? null,
    },
    order: { id: order.id, object: 'order' },
    checkout: checkoutReference(checkout),
    currency: payment.currency,
    buyer: order.buyer,
  };
}

/** Builds the `data` of `invoice.issued` v1. */
function invoiceIssuedData(invoice: Invoice): EventData {
  return {
    invoice: {
      id: invoice.id,
      object: 'invoice',
      number: invoice.number,
      type: invoice.type,
      issued_at: invoice.issuedAt.toISOString(),
    },
    order: { id: invoice.orderId, object: 'order' },
    payment: { id: invoice.paymentId, object: 'payment' },
    currency: invoice.totals.currency,
    totals: totalsData(invoice.totals),
    buyer: invoice.buyer,
  };
}

/** A payment, as the events of a refund show it. */
type RefundedPayment = Pick<Payment, 'id' | 'status' | 'amountMinorUnits' | 'refundedMinorUnits'>;

/** The events of a refund, in the order in which they are published. */
export function refundEvents(
  payment: RefundedPayment,
  refund: Refund,
  creditNote: Invoice,
): readonly PublishInput[] {
  return [
    {
      type: 'payment.refund.created',
      subject: `refund:${refund.id}`,
      data: refundCreatedData(refund, payment, creditNote.buyer),
    },
    {
      type: 'invoice.credit_note.issued',
      subject: `invoice:${creditNote.id}`,
      data: creditNoteIssuedData(creditNote),
    },
  ];
}

/**
 * Builds the `data` of `payment.refund.created` v1.
 * @param payment its state after the refund
 */
function refundCreatedData(refund: Refund, payment: RefundedPayment, buyer: Buyer): EventData {
  return {
    refund: {
      id: refund.id,
      object: 'refund',
      status: refund.status,
      amount_minor_units: refund.amountMinorUnits,
      reason: refund.reason,
      created_at: refund.createdAt.toISOString(),
      cash_flow_at: refund.cashFlowAt?.toISOString() ?? null,
    },
    payment: {
      id: payment.id,
      object: 'payment',
      status: payment.status,
      amount_minor_units: payment.amountMinorUnits,
      refunded_minor_units: payment.refundedMinorUnits,
    },
    order: { id: refund.orderId, object: 'order' },
    currency: refund.currency,
    buyer,
  };
}

/** Builds the `data` of `invoice.credit_note.issued` v1: that of an invoice, and its refund. */
function creditNoteIssuedData(creditNote: Invoice): EventData {
  return {
    ...invoiceIssuedData(creditNote),
    refund: { id: creditNote.refundId, object: 'refund' },
  };
}
