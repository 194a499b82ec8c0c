import { recordChange } from '../audit/record-change.js';
import { Invoice } from '../commerce/invoice.entity.js';
import type { Buyer } from '../commerce/line-item.js';
import { lockLedger } from '../commerce/ledger.js';
import { Order } from '../commerce/order.entity.js';
import { Payment } from '../commerce/payment.entity.js';
import { acceptOffer } from '../offer/accept-offer.js';
import { lockOffer } from '../offer/lock-offer.js';
import type { Offer } from '../offer/offer.entity.js';
import { isSameMailbox } from '../email.js';
import { DomainError, type Issue, type InternalIssueCode, validationFailed } from '../errors.js';
import type { Tx } from '../tx.js';
import type { Checkout } from '../checkout/checkout.entity.js';
import { lockCheckout } from '../checkout/checkouts.js';
import { type CompletedCheckout, completeCheckout } from './complete-checkout.js';
import {
  cashFlowIssues,
  feeIssues,
  paymentFingerprint,
  paymentIssues,
  type PaymentInput,
} from './payment-input.js';
import { returnUrl } from '../checkout/thank-you-url.js';

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
  const fingerprint = key === null ? null : paymentFingerprint(input);
  const existing = key === null ? null : await tx.manager.findOneBy(Payment, { accountId, key });
  if (existing && fingerprint) return existingPayment(tx, checkout, existing, fingerprint);
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
    fingerprint,
    feeMinorUnits: fee,
    cashFlowAt: cashFlowAt ?? null,
  });
  if (offer) await acceptOffer(tx, offer, completedCheckout.order);
  const { id: resource } = completedCheckout.payment;
  recordChange(tx, { action: 'payment_recorded', account: accountId, resource });
  return { ...completedCheckout, thankYouUrl: returnUrl(checkout, completedCheckout.order.id) };
}

async function existingPayment(
  tx: Tx,
  checkout: Checkout,
  payment: Payment,
  fingerprint: Buffer,
): Promise<RecordedPayment> {
  if (!payment.fingerprint?.equals(fingerprint)) {
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
