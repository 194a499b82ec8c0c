import type { Checkout } from '../../src/domain/checkout/checkout.entity.js';
import type { Invoice } from '../../src/domain/payment/invoice.entity.js';
import type { NextLedgerEntry } from '../../src/domain/commerce/ledger.js';
import type { Order } from '../../src/domain/payment/order.entity.js';
import type { Payment } from '../../src/domain/payment/payment.entity.js';
import type { Refund } from '../../src/domain/payment/refund.entity.js';
import { Totals } from '../../src/domain/commerce/line-items.js';
import { entityOf } from '../../src/domain/typeorm.js';
import type { Offer } from '../../src/domain/offer/offer.entity.js';
import { buildPayment } from '../../src/domain/payment/record-payment.js';
import type { CompletedCheckout } from '../../src/domain/payment/sale-events.js';
import type { LockedPayment } from '../../src/domain/payment/refunds.js';
import type { Random } from './random.js';
import type { Purchase } from './purchase.js';
import type { NextNumbers } from './time-window-plan.js';

/** A paid checkout and the entries of its payment, which is as it became by all refunds of the time window. */
export interface Sale extends CompletedCheckout {
  readonly checkout: Checkout;
}

/** A refund and its credit note. */
export interface RefundEntry {
  readonly refund: Refund;
  readonly creditNote: Invoice;
  /** The payment after this refund. */
  readonly paymentAfter: LockedPayment;
}

/** The rows of one time window, each list in the order of time and position. */
export interface TimeWindow {
  readonly sales: readonly Sale[];
  readonly refundEntries: readonly RefundEntry[];
  readonly offers: readonly Offer[];
  /** Checkouts that reached their expiry unpaid. */
  readonly expired: readonly Checkout[];
  /** The positions and numbers after this window. */
  readonly next: NextNumbers;
}

const dayMs = 86_400_000;

/** The payment of an order; its cash flow date is some days later, or null if that is after `now`. */
export function paymentOf(
  entry: NextLedgerEntry,
  random: Random,
  order: Order,
  { feeMinorUnits, method, buyer, chargedBack }: Purchase,
  now: Date,
): Payment {
  const cashFlowAt = new Date(entry.at.getTime() + random.integer(2, 7) * dayMs);
  const details = { buyer, method, feeMinorUnits, cashFlowAt, key: null, fingerprint: null };
  const payment = buildPayment(entry, order, details);
  if (cashFlowAt > now) payment.cashFlowAt = null;
  if (chargedBack) payment.status = 'charged_back';
  return payment;
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
