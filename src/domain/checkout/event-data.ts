import type { Checkout } from './checkout.entity.js';
import type { Invoice } from '../commerce/invoice.entity.js';
import type { Buyer, LineItem } from '../commerce/line-item.js';
import type { Order } from '../commerce/order.entity.js';
import type { Payment } from '../commerce/payment.entity.js';
import type { Refund } from '../commerce/refund.entity.js';
import type { Totals } from '../commerce/totals.entity.js';

/** The `data` of an event; schema/events describes it for each type. */
export type EventData = Readonly<Record<string, unknown>>;

/**
 * Builds the `data` of `cart.checkout.created` v1 and of `cart.checkout.expired` v1. Both are alike, so a
 * checkout whose first event fits the size limit can also publish the second.
 */
export function checkoutData(checkout: Checkout): EventData {
  return {
    checkout: {
      ...checkoutReference(checkout),
      created_at: checkout.createdAt.toISOString(),
      expires_at: checkout.expiresAt.toISOString(),
    },
    metadata: checkout.metadata,
    currency: checkout.totals.currency,
    totals: totalsData(checkout.totals),
    line_items: checkout.lineItems.map(lineItemData),
  };
}

/** Builds the `data` of `cart.order.completed` v1, with the checkout's metadata as the account sent it. */
export function orderCompletedData(checkout: Checkout, order: Order, payment: Payment): EventData {
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
export function legacyOrderCompletedData(
  checkout: Checkout,
  order: Order,
  payment: Payment,
): EventData {
  return { order_id: order.id, ...orderCompletedData(checkout, order, payment) };
}

/** Builds the `data` of `payment.sale.succeeded` v1. */
export function saleSucceededData(checkout: Checkout, order: Order, payment: Payment): EventData {
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
export function invoiceIssuedData(invoice: Invoice): EventData {
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

/**
 * Builds the `data` of `payment.refund.created` v1.
 * @param payment its state after the refund
 */
export function refundCreatedData(
  refund: Refund,
  payment: Pick<Payment, 'id' | 'status' | 'amountMinorUnits' | 'refundedMinorUnits'>,
  buyer: Buyer,
): EventData {
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
export function creditNoteIssuedData(creditNote: Invoice): EventData {
  return {
    ...invoiceIssuedData(creditNote),
    refund: { id: creditNote.refundId, object: 'refund' },
  };
}

function checkoutReference({ id, externalReference }: Checkout): EventData {
  return { id, object: 'checkout', external_reference: externalReference };
}

/** Builds the totals of an event. */
export function totalsData(totals: Totals): EventData {
  return {
    currency: totals.currency,
    subtotal_minor_units: totals.subtotalMinorUnits,
    discount_minor_units: totals.discountMinorUnits,
    shipping_minor_units: totals.shippingMinorUnits,
    tax_minor_units: totals.taxMinorUnits,
    total_minor_units: totals.totalMinorUnits,
  };
}

/** Builds a line item of an event. */
export function lineItemData(item: LineItem): EventData {
  return {
    product: item.product,
    quantity: item.quantity,
    unit_amount_minor_units: item.unitAmountMinorUnits,
    discount_minor_units: item.discountMinorUnits,
    tax_minor_units: item.taxMinorUnits,
    tax_percentage: item.taxPercentage,
    total_minor_units: item.totalMinorUnits,
  };
}
