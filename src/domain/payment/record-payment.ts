// Recording a payment: the one transaction that turns a checkout into an order, its payment and its invoice.
//
// - It locks the checkout, then its offer, then the ledger of the account, always in this order. So a
//   checkout is paid once, an offer accepted once, and positions and invoice numbers have no gaps.
// - Entries and events are committed together: a crash leaves all of them or none. The caller that does not
//   know repeats the payment with its key, and gets the first result.
import { recordChange } from '../audit/audit-log.js';
import { Checkout } from '../checkout/checkout.entity.js';
import { lockCheckout } from '../checkout/checkouts.js';
import { returnUrl } from '../checkout/thank-you-url.js';
import { lockLedger, type NextLedgerEntry, nextLedgerEntry } from '../commerce/ledger.js';
import type { Buyer } from '../commerce/line-items.js';
import { isAmount } from '../commerce/money.js';
import { DomainError, type InternalIssueCode, type Issue, validationFailed } from '../errors.js';
import { publishEvent } from '../event/publish.js';
import { acceptOffer } from '../offer/change-offer.js';
import type { Offer } from '../offer/offer.entity.js';
import { lockOffer } from '../offer/offers.js';
import { singleRow } from '../transaction/rows.js';
import type { Statement, Tx } from '../transaction/tx.js';
import { entityOf } from '../transaction/typeorm.js';
import { fingerprint } from '../values/canonical-json.js';
import { emailIssues, isSameMailbox, storedMailbox } from '../values/email.js';
import { makeId } from '../values/id.js';
import { textIssues } from '../values/text.js';
import { Invoice, Order, Payment } from './ledger.entity.js';
import { type CompletedCheckout, saleEvents } from './sale-events.js';

/** The input of a payment that succeeded. */
export interface PaymentInput {
  /** The checkout's id. */
  readonly checkout: string;
  /** Defaults to card. */
  readonly method?: string | null | undefined;
  /** Defaults to the checkout's. */
  readonly buyerEmail?: string | null | undefined;
  readonly buyerName?: string | null | undefined;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly buyerCountry?: string | null | undefined;
  /** When the buyer began to pay. A payment that began before the expiry counts. Defaults to `tx.now`. */
  readonly startedAt?: Date | null | undefined;
  /** What the provider keeps of the amount, in minor units of the checkout's currency. Defaults to 0. */
  readonly feeMinorUnits?: number | null | undefined;
  /** When the money is or will be booked to the balance. Defaults to the time of the payment. */
  readonly cashFlowAt?: Date | null | undefined;
  /** Identifies the payment: recording it again with the same content makes no second payment. */
  readonly key?: string | null | undefined;
}

/** The rows that a payment made. */
export interface RecordedPayment extends CompletedCheckout {
  /** The URL where the buyer goes next. */
  readonly thankYouUrl: string;
}

/**
 * Records that the buyer's payment succeeded. All or nothing:
 * - it writes the order, the payment and its invoice, and completes the checkout;
 * - it publishes `cart.order.completed`, `order.completed`, `payment.sale.succeeded`, `invoice.issued`;
 * - it accepts the checkout's offer, if it has one, and publishes `offer.accepted`.
 *
 * Recording the same payment under the same key again returns the first result.
 * @param account the account that must own the checkout; null for any
 * @throws DomainError validation_failed; not_found; checkout_not_payable when the checkout is already
 *   paid, had expired when the payment began or has a closed offer, or when the key has another payment
 */
export async function recordPayment(
  tx: Tx,
  account: string | null,
  input: PaymentInput,
): Promise<RecordedPayment> {
  const checkout = await lockCheckout(tx, account, input.checkout);
  assertNoIssues(paymentIssues(input));

  const { accountId } = checkout;
  const offer = checkout.offerId === null ? null : await lockOffer(tx, accountId, checkout.offerId);

  // Payments of an account queue here: invoice numbers get no gaps, and the next payment sees this key.
  await lockLedger(tx, accountId);

  const key = input.key ?? null;
  const contentPrint = key === null ? null : paymentFingerprint(input);
  const existing = key === null ? null : await tx.manager.findOneBy(Payment, { accountId, key });
  if (existing && contentPrint) return existingPayment(tx, checkout, existing, contentPrint);

  assertPayable(tx, checkout, input);
  if (offer) assertOfferOpen(offer, input.startedAt ?? tx.now);

  const buyer = resolveBuyer(checkout, input);
  const method = input.method ?? 'card';
  const { feeMinorUnits, cashFlowAt } = input;
  const fee = feeMinorUnits ?? 0;
  assertNoIssues([
    ...feeIssues(fee, checkout.totals.totalMinorUnits),
    // A payment that is recorded late and without its start may have been booked before now.
    ...(cashFlowAt ? cashFlowIssues(cashFlowAt, input.startedAt ?? checkout.createdAt) : []),
  ]);

  const completedCheckout = await completeCheckout(tx, checkout, {
    buyer,
    method,
    key,
    fingerprint: contentPrint,
    feeMinorUnits: fee,
    cashFlowAt: cashFlowAt ?? null,
  });

  if (offer) await acceptOffer(tx, offer, completedCheckout.order);

  const { id: resource } = completedCheckout.payment;
  recordChange(tx, { action: 'payment_recorded', account: accountId, resource });

  return { ...completedCheckout, thankYouUrl: returnUrl(checkout, completedCheckout.order.id) };
}

/** The payment method of hosted checkouts: a payment that always succeeds and moves no money. */
export const sandboxMethod = 'sandbox';

/** What the buyer enters in the form. */
interface HostedBuyer {
  /** Null for the checkout's own address. */
  readonly email: string | null;
  readonly name: string | null;
}

/**
 * Pays a checkout with {@link sandboxMethod}. Paying again creates no second payment and returns the same URL.
 * @returns the URL where the buyer goes next
 * @throws DomainError not_found; validation_failed; checkout_not_payable if it has expired or is closed
 */
export async function payHostedCheckout(tx: Tx, id: string, buyer: HostedBuyer): Promise<string> {
  const checkout = await lockCheckout(tx, null, id);
  if (checkout.orderId !== null) return returnUrl(checkout, checkout.orderId);

  const { email: buyerEmail, name: buyerName } = buyer;
  const payment = { checkout: id, method: sandboxMethod, buyerEmail, buyerName };
  return (await recordPayment(tx, null, payment)).thankYouUrl;
}

async function existingPayment(
  tx: Tx,
  checkout: Checkout,
  payment: Payment,
  contentPrint: Buffer,
): Promise<RecordedPayment> {
  if (!payment.fingerprint?.equals(contentPrint)) {
    throw notPayable('payment_key_conflict', 'This key was already used for another payment.');
  }
  const order = await tx.manager.findOneByOrFail(Order, { id: payment.orderId });
  const invoice = await tx.manager.findOneByOrFail(Invoice, {
    paymentId: payment.id,
    type: 'invoice',
  });
  return { order, payment, invoice, thankYouUrl: returnUrl(checkout, order.id) };
}

function assertPayable(tx: Tx, checkout: Checkout, { startedAt }: PaymentInput): void {
  if (checkout.orderId !== null) {
    throw notPayable('already_paid', 'The checkout is already paid.');
  }
  const started = startedAt ?? tx.now;
  if (started.getTime() >= checkout.expiresAt.getTime()) {
    throw notPayable('checkout_expired', 'The checkout expired before the payment began.');
  }
  if (started.getTime() < checkout.createdAt.getTime() || started.getTime() > tx.now.getTime()) {
    const detail = 'Must be between the creation of the checkout and now.';
    throw validationFailed([{ code: 'out_of_range', detail, param: 'started_at' }]);
  }
}

/** As with a checkout, a payment that began before the expiry counts. */
function assertOfferOpen({ cancelledAt, acceptedAt, expiresAt }: Offer, started: Date): void {
  if (cancelledAt !== null) throw notPayable('offer_closed', 'The offer was cancelled.');
  if (acceptedAt !== null) throw notPayable('offer_closed', 'The offer is already accepted.');
  if (started.getTime() >= expiresAt.getTime()) {
    throw notPayable('offer_closed', 'The offer expired before the payment began.');
  }
}

function resolveBuyer(checkout: Checkout, input: PaymentInput): Buyer {
  const email = input.buyerEmail ?? checkout.buyerEmail;
  if (email === null) {
    const detail = 'The checkout has no buyer e-mail address; the payment needs one.';
    throw validationFailed([{ code: 'required', detail, param: 'buyer_email' }]);
  }
  const locked = checkout.buyerEmailLocked ? checkout.buyerEmail : null;
  if (locked !== null && !isSameMailbox(locked, email)) {
    const detail = 'Must be the address the checkout is locked to.';
    throw validationFailed([{ code: 'invalid_value', detail, param: 'buyer_email' }]);
  }
  return { email, name: input.buyerName ?? null, country: input.buyerCountry ?? null };
}

function notPayable(code: InternalIssueCode, detail: string): DomainError {
  return new DomainError('checkout_not_payable', detail, [{ code, detail }]);
}

function assertNoIssues(issues: readonly Issue[]): void {
  if (issues.length > 0) throw validationFailed(issues);
}

/** The payment that completes a checkout. */
interface PaymentDetails {
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
async function completeCheckout(
  tx: Tx,
  checkout: Checkout,
  details: PaymentDetails,
): Promise<CompletedCheckout> {
  const entry = await nextLedgerEntry(tx, checkout.accountId);
  const order = buildOrder(entry, checkout, details.buyer);
  const payment = buildPayment(entry, order, details);
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
  details: PaymentDetails,
): Payment {
  const { method, key, feeMinorUnits, cashFlowAt } = details;
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
    fingerprint: details.fingerprint,
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

/** Validates a payment's fields and returns all problems. */
function paymentIssues({ method, key, ...buyer }: PaymentInput): Issue[] {
  const { buyerEmail, buyerName, buyerCountry } = buyer;
  return [
    ...textIssues('method', method ?? 'card', { min: 1, max: 64 }),
    ...(buyerEmail == null ? [] : emailIssues('buyer_email', buyerEmail)),
    ...textIssues('buyer_name', buyerName ?? '', { max: 250 }),
    ...(buyerCountry == null ? [] : countryIssues('buyer_country', buyerCountry)),
    ...(key == null ? [] : textIssues('key', key, { min: 1, max: 255 })),
  ];
}

/** Validates a fee: at most the amount paid. */
function feeIssues(feeMinorUnits: number, paidMinorUnits: number): Issue[] {
  if (isAmount(feeMinorUnits) && feeMinorUnits <= paidMinorUnits) return [];
  const detail = `Must be an integer from 0 to ${paidMinorUnits}, the amount paid.`;
  return [{ code: 'out_of_range', detail, param: 'fee_minor_units' }];
}

/** Validates when the money is booked: not before the buyer began to pay. */
function cashFlowIssues(cashFlowAt: Date, startedAt: Date): Issue[] {
  if (cashFlowAt.getTime() >= startedAt.getTime()) return [];
  const detail = 'Must not be before the payment began.';
  return [{ code: 'out_of_range', detail, param: 'cash_flow_at' }];
}

function countryIssues(param: string, country: string): Issue[] {
  if (/^[A-Z]{2}$/.test(country)) return [];
  const detail = 'Must be an ISO 3166 country code in upper case.';
  return [{ code: 'invalid_format', detail, param }];
}

/** Distinguishes two payments under one key by their content. */
function paymentFingerprint({ checkout, method, startedAt, ...optional }: PaymentInput): Buffer {
  const { buyerEmail, buyerName, buyerCountry, feeMinorUnits, cashFlowAt } = optional;
  return fingerprint('recordPayment', checkout, [
    method ?? 'card',
    buyerEmail ?? null,
    buyerName ?? null,
    buyerCountry ?? null,
    startedAt?.toISOString() ?? null,
    // Only when given, so that payments recorded before these fields existed keep their fingerprints.
    ...(feeMinorUnits == null ? [] : [{ fee: feeMinorUnits }]),
    ...(cashFlowAt == null ? [] : [{ cashFlow: cashFlowAt.toISOString() }]),
  ]);
}
