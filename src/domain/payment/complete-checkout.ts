import {
  invoiceIssuedData,
  legacyOrderCompletedData,
  orderCompletedData,
  saleSucceededData,
} from '../checkout/event-data.js';
import { Invoice } from '../commerce/invoice.entity.js';
import type { Buyer } from '../commerce/line-item.js';
import { type NextLedgerEntry, nextLedgerEntry } from '../commerce/ledger.js';
import { Order } from '../commerce/order.entity.js';
import { Payment } from '../commerce/payment.entity.js';
import { storedMailbox } from '../email.js';
import { entityOf } from '../entity-of.js';
import type { PublishInput } from '../event/prepare-event.js';
import { publishEvent } from '../event/publish.js';
import { makeId } from '../id.js';
import { singleRow } from '../rows.js';
import type { Statement, Tx } from '../tx.js';
import { Checkout } from '../checkout/checkout.entity.js';

/** The rows that a succeeded payment makes. */
export interface CompletedCheckout {
  readonly order: Order;
  readonly payment: Payment;
  readonly invoice: Invoice;
}

/** The payment that completes a checkout. */
export interface PaymentDetails {
  readonly buyer: Buyer;
  readonly method: string;
  /** The provider's part of the checkout's total. */
  readonly feeMinorUnits: number;
  /** When the money is booked; null for at once. */
  readonly cashFlowAt: Date | null;
  /** Identifies the payment; given together with the fingerprint of its content, or not at all. */
  readonly key: string | null;
  readonly fingerprint: Buffer | null;
}

const nextInvoiceNumber: Statement = {
  name: 'account-next-invoice',
  text: `update account set invoice_count = invoice_count + 1 where id = $1
         returning invoice_count as count`,
};

/**
 * Completes a paid checkout: writes its order, payment and invoice, and publishes their events.
 * The caller has locked the checkout, then the account's ledger, and has validated the payment.
 */
export async function completeCheckout(
  tx: Tx,
  checkout: Checkout,
  completion: PaymentDetails,
): Promise<CompletedCheckout> {
  const entry = await nextLedgerEntry(tx, checkout.accountId);
  const order = buildOrder(entry, checkout, completion.buyer);
  const payment = buildPayment(entry, order, completion);
  const values = [checkout.accountId];
  const { count } = await singleRow<{ count: number }>(tx, nextInvoiceNumber, values);
  const invoice = buildInvoice(entry, order, payment, count);
  await tx.manager.insert<object>(Order, order);
  await tx.manager.insert<object>(Payment, payment);
  await tx.manager.insert<object>(Invoice, invoice);
  const { id, accountId } = checkout;
  // The account is compared because the planner may use an index of (account, id) for the id alone.
  await tx.manager.update(Checkout, { id, accountId }, { orderId: order.id });
  const completed = { order, payment, invoice };
  for (const event of saleEvents(checkout, completed)) await publishEvent(tx, accountId, event);
  return completed;
}

/** Builds the order of a paid checkout, at the ledger's next position. */
export function buildOrder(entry: NextLedgerEntry, checkout: Checkout, buyer: Buyer): Order {
  return entityOf(Order, {
    id: makeId('ord', entry.at),
    accountId: checkout.accountId,
    position: entry.order,
    checkoutId: checkout.id,
    externalReference: checkout.externalReference,
    buyer,
    metadata: checkout.metadata,
    affiliate: checkout.affiliate,
    lineItems: checkout.lineItems,
    createdAt: entry.at,
    completedAt: entry.at,
    totals: checkout.totals,
  });
}

/** Builds the payment of an order, at the ledger's next position. */
export function buildPayment(
  entry: NextLedgerEntry,
  order: Order,
  completion: PaymentDetails,
): Payment {
  const { method, key, fingerprint, feeMinorUnits, cashFlowAt } = completion;
  const amountMinorUnits = order.totals.totalMinorUnits;
  return entityOf(Payment, {
    id: makeId('pay', entry.at),
    accountId: order.accountId,
    position: entry.payment,
    orderId: order.id,
    status: 'succeeded',
    currency: order.totals.currency,
    amountMinorUnits,
    refundedMinorUnits: 0,
    feeMinorUnits,
    netMinorUnits: amountMinorUnits - feeMinorUnits,
    method,
    buyerEmail: order.buyer.email,
    mailbox: storedMailbox(order.buyer.email),
    key,
    fingerprint: fingerprint,
    createdAt: entry.at,
    cashFlowAt: cashFlowAt ?? entry.at,
  });
}

/**
 * Builds the invoice of a payment, at the ledger's next position.
 * @param count the number of the invoice
 */
export function buildInvoice(
  entry: NextLedgerEntry,
  order: Order,
  payment: Payment,
  count: number,
): Invoice {
  return entityOf(Invoice, {
    id: makeId('inv', entry.at),
    accountId: order.accountId,
    position: entry.invoice,
    number: `INV-${String(count).padStart(6, '0')}`,
    type: 'invoice',
    orderId: order.id,
    paymentId: payment.id,
    refundId: null,
    buyer: order.buyer,
    issuedAt: entry.at,
    createdAt: entry.at,
    totals: order.totals,
  });
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
