import {
  invoiceIssuedData,
  legacyOrderCompletedData,
  orderCompletedData,
  saleSucceededData,
} from '../commerce/event-data.js';
import { Invoice } from '../commerce/invoice.entity.js';
import type { Buyer } from '../commerce/line-item.js';
import { Order } from '../commerce/order.entity.js';
import { Payment } from '../commerce/payment.entity.js';
import { emailFaults } from '../endpoint/email.js';
import { entityOf } from '../entity.js';
import { DomainError, type ErrorEntry, type InternalCause, validationFailed } from '../errors.js';
import { publishEvent } from '../event/publish.js';
import { makeId } from '../id.js';
import { fingerprint } from '../idempotency/fingerprint.js';
import { textFaults } from '../text.js';
import type { Statement, Tx } from '../tx.js';
import type { Checkout } from './checkout.entity.js';
import { holdCheckout } from './checkouts.js';
import { thankYouUrl } from './thank-you-url.js';

/** A payment that succeeded. */
export interface PaymentInput {
  /** The checkout's id. */
  readonly checkout: string;
  /** How it was paid; default card. */
  readonly method?: string | null | undefined;
  /** Default: the checkout's. */
  readonly buyerEmail?: string | null | undefined;
  readonly buyerName?: string | null | undefined;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly buyerCountry?: string | null | undefined;
  /** When the buyer began to pay; one in flight at expiry still counts. Default: this moment. */
  readonly startedAt?: Date | null | undefined;
  /** Names the payment: recorded again with the same content, it is the same payment. */
  readonly key?: string | null | undefined;
}

/** What a succeeded payment makes. */
export interface RecordedPayment {
  readonly order: Order;
  readonly payment: Payment;
  readonly invoice: Invoice;
  /** Where the buyer goes next. */
  readonly thankYouUrl: string;
}

// Payments of an account queue here: invoice numbers have no gaps, and a key is seen by the next.
const holdAccount: Statement = {
  name: 'account-hold',
  text: `select id from account where id = $1 for no key update`,
};

const nextInvoice: Statement = {
  name: 'account-next-invoice',
  text: `update account set invoice_count = invoice_count + 1 where id = $1
         returning invoice_count as count`,
};

const complete: Statement = {
  name: 'checkout-complete',
  text: `update checkout set order_id = $2 where id = $1`,
};

/**
 * Records that the buyer's payment succeeded: the order, the payment, its invoice, the completed
 * checkout and the events `cart.order.completed`, `order.completed`, `payment.sale.succeeded` and
 * `invoice.issued`, all or nothing.
 * @param account whose checkout it must be; null for any
 * @throws DomainError validation_failed; not_found; checkout_not_payable for a checkout that is paid
 *   already (unless it is the same payment under the same key), that had expired when the payment
 *   began, or when the key names another payment
 */
export async function recordPayment(
  tx: Tx,
  account: string | null,
  input: PaymentInput,
): Promise<RecordedPayment> {
  const checkout = await holdCheckout(tx, account, input.checkout);
  refuse(inputFaults(input));
  const { accountId } = checkout;
  await tx.sql(holdAccount, [accountId]);
  const key = input.key ?? null;
  const content = key === null ? null : contentOf(input);
  const earlier = key === null ? null : await tx.manager.findOneBy(Payment, { accountId, key });
  if (earlier && content) return recordedBefore(tx, checkout, earlier, content);
  refuseUnpayable(tx, checkout, input);

  const order = orderOf(tx, checkout, buyerOf(checkout, input));
  const payment = paymentOf(tx, order, input, content);
  const [counted] = await tx.sql<{ count: number }>(nextInvoice, [accountId]);
  const invoice = invoiceOf(tx, order, payment, counted?.count ?? 0);
  await tx.manager.insert<object>(Order, order);
  await tx.manager.insert<object>(Payment, payment);
  await tx.manager.insert<object>(Invoice, invoice);
  await tx.sql(complete, [checkout.id, order.id]);
  await publishAll(tx, checkout, order, payment, invoice);
  return { order, payment, invoice, thankYouUrl: returnUrl(checkout, order) };
}

async function recordedBefore(
  tx: Tx,
  checkout: Checkout,
  payment: Payment,
  content: Buffer,
): Promise<RecordedPayment> {
  if (!payment.fingerprint?.equals(content)) {
    throw unpayable('payment_key_conflict', 'This key was already used for another payment.');
  }
  const order = await tx.manager.findOneByOrFail(Order, { id: payment.orderId });
  const invoice = await tx.manager.findOneByOrFail(Invoice, {
    paymentId: payment.id,
    type: 'invoice',
  });
  return { order, payment, invoice, thankYouUrl: returnUrl(checkout, order) };
}

function refuseUnpayable(tx: Tx, checkout: Checkout, { startedAt }: PaymentInput): void {
  if (checkout.orderId !== null) {
    throw unpayable('already_paid', 'The checkout has been paid already.');
  }
  const started = startedAt ?? tx.now;
  if (started.getTime() >= checkout.expiresAt.getTime()) {
    throw unpayable('checkout_expired', 'The checkout expired before the payment began.');
  }
  if (started.getTime() < checkout.createdAt.getTime() || started.getTime() > tx.now.getTime()) {
    const detail = 'Must be between the creation of the checkout and this moment.';
    throw validationFailed([{ code: 'out_of_range', detail, param: 'started_at' }]);
  }
}

function buyerOf(checkout: Checkout, input: PaymentInput): Buyer {
  const email = input.buyerEmail ?? checkout.buyerEmail;
  if (email === null) {
    const detail = 'The checkout has no buyer e-mail address; the payment needs one.';
    throw validationFailed([{ code: 'required', detail, param: 'buyer_email' }]);
  }
  const locked = checkout.buyerEmailLocked ? checkout.buyerEmail : null;
  if (locked !== null && locked.toLowerCase() !== email.toLowerCase()) {
    const detail = 'Must be the address that the checkout is locked to.';
    throw validationFailed([{ code: 'invalid_value', detail, param: 'buyer_email' }]);
  }
  return { email, name: input.buyerName ?? null, country: input.buyerCountry ?? null };
}

function orderOf(tx: Tx, checkout: Checkout, buyer: Buyer): Order {
  return entityOf(Order, {
    id: makeId('ord', tx.now),
    accountId: checkout.accountId,
    checkoutId: checkout.id,
    externalReference: checkout.externalReference,
    buyer,
    metadata: checkout.metadata,
    affiliate: checkout.affiliate,
    lineItems: checkout.lineItems,
    createdAt: tx.now,
    completedAt: tx.now,
    totals: checkout.totals,
  });
}

function paymentOf(tx: Tx, order: Order, input: PaymentInput, content: Buffer | null): Payment {
  return entityOf(Payment, {
    id: makeId('pay', tx.now),
    accountId: order.accountId,
    orderId: order.id,
    status: 'succeeded',
    currency: order.totals.currency,
    amountMinorUnits: order.totals.totalMinorUnits,
    refundedMinorUnits: 0,
    feeMinorUnits: 0,
    netMinorUnits: order.totals.totalMinorUnits,
    method: input.method ?? 'card',
    buyerEmail: order.buyer.email,
    key: input.key ?? null,
    fingerprint: content,
    createdAt: tx.now,
    cashFlowAt: null,
  });
}

function invoiceOf(tx: Tx, order: Order, payment: Payment, count: number): Invoice {
  return entityOf(Invoice, {
    id: makeId('inv', tx.now),
    accountId: order.accountId,
    number: `INV-${String(count).padStart(6, '0')}`,
    type: 'invoice',
    orderId: order.id,
    paymentId: payment.id,
    buyer: order.buyer,
    issuedAt: tx.now,
    createdAt: tx.now,
    totals: order.totals,
  });
}

async function publishAll(
  tx: Tx,
  checkout: Checkout,
  order: Order,
  payment: Payment,
  invoice: Invoice,
): Promise<void> {
  const { accountId } = checkout;
  await publishEvent(tx, accountId, {
    type: 'cart.order.completed',
    subject: `order:${order.id}`,
    data: orderCompletedData(checkout, order, payment),
  });
  await publishEvent(tx, accountId, {
    type: 'order.completed',
    subject: `order:${order.id}`,
    data: legacyOrderCompletedData(checkout, order, payment),
  });
  await publishEvent(tx, accountId, {
    type: 'payment.sale.succeeded',
    subject: `payment:${payment.id}`,
    data: saleSucceededData(checkout, order, payment),
  });
  await publishEvent(tx, accountId, {
    type: 'invoice.issued',
    subject: `invoice:${invoice.id}`,
    data: invoiceIssuedData(invoice),
  });
}

function returnUrl({ successUrl }: Checkout, order: Order): string {
  const { id, metadata, affiliate } = order;
  return thankYouUrl(successUrl, { order: id, metadata, affiliate: affiliate ?? undefined });
}

function inputFaults({ method, key, ...buyer }: PaymentInput): ErrorEntry[] {
  const { buyerEmail, buyerName, buyerCountry } = buyer;
  return [
    ...textFaults('method', method ?? 'card', { min: 1, max: 64 }),
    ...(buyerEmail == null ? [] : emailFaults('buyer_email', buyerEmail)),
    ...textFaults('buyer_name', buyerName ?? '', { max: 250 }),
    ...(buyerCountry == null ? [] : countryFaults('buyer_country', buyerCountry)),
    ...(key == null ? [] : textFaults('key', key, { min: 1, max: 255 })),
  ];
}

function countryFaults(param: string, country: string): ErrorEntry[] {
  if (/^[A-Z]{2}$/.test(country)) return [];
  const detail = 'Must be an ISO 3166 country code in upper case.';
  return [{ code: 'invalid_format', detail, param }];
}

function contentOf({ checkout, method, startedAt, ...buyer }: PaymentInput): Buffer {
  const { buyerEmail, buyerName, buyerCountry } = buyer;
  return fingerprint('recordPayment', checkout, [
    ...[method ?? 'card', buyerEmail ?? null, buyerName ?? null, buyerCountry ?? null],
    startedAt?.toISOString() ?? null,
  ]);
}

function unpayable(code: InternalCause, detail: string): DomainError {
  return new DomainError('checkout_not_payable', detail, [{ code, detail }]);
}

function refuse(faults: readonly ErrorEntry[]): void {
  if (faults.length > 0) throw validationFailed(faults);
}
