import { Checkout } from '../../src/domain/checkout/checkout.entity.js';
import type { NextLedgerEntry } from '../../src/domain/commerce/ledger.js';
import { prorate, Totals } from '../../src/domain/commerce/line-items.js';
import { makeId } from '../../src/domain/values/id.js';
import { Offer } from '../../src/domain/offer/offer.entity.js';
import { offerUrl } from '../../src/domain/offer/offers.js';
import {
  type Invoice,
  type Order,
  Payment,
  type Refund,
} from '../../src/domain/payment/ledger.entity.js';
import { buildInvoice, buildOrder, buildPayment } from '../../src/domain/payment/record-payment.js';
import {
  buildCreditNote,
  buildRefund,
  type LockedPayment,
} from '../../src/domain/payment/refunds.js';
import type { CompletedCheckout } from '../../src/domain/payment/sale-events.js';
import { entityOf } from '../../src/domain/transaction/typeorm.js';
import { type Cart, cartOf, type PlannedRefund, type Purchase, purchaseOf } from './purchase.js';
import { Random } from './random.js';

/** The plan of one time window, which one batch inserts. */
export interface TimeWindowPlan {
  readonly seed: number;
  readonly account: string;
  readonly orders: number;
  readonly next: NextNumbers;
  /** The time of the first order. */
  readonly from: Date;
  /** Milliseconds from one order to the next; at least {@link minStepMs}. */
  readonly stepMs: number;
  /** No entry is later. */
  readonly now: Date;
  /** Without a trailing slash. */
  readonly baseUrl: string;
}

/** The next positions and numbers in the ledger of an account. */
export interface NextNumbers {
  readonly order: number;
  readonly payment: number;
  readonly refund: number;
  readonly invoice: number;
  readonly offer: number;
  readonly invoiceNumber: number;
  readonly creditNoteNumber: number;
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

/** A paid checkout and its ledger entries. The payment includes all refunds of the time window. */
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

/** The minimum time between two orders. All refunds that are due at once fit in between. */
export const minStepMs = 2_000;

/** A time window has at most this many orders, so that all refunds due at once fit between two orders. */
export const maxOrders = 500;

const minuteMs = 60_000;

const dayMs = 86_400_000;

const abandonedShare = 0.3;

const acceptingShare = 0.01;

const offeringShare = 0.02;

/** How long a checkout stays open. */
const lifetimeMs = 30 * minuteMs;

const longLifetimeMs = 300 * dayMs;

const shortLifetimeMs = 14 * dayMs;

/** The outcomes of an offer that is not accepted. */
const unacceptedOutcomes = ['draft', 'sent', 'cancelled', 'expired'] as const;

/**
 * Generates one time window of history. The same plan always gives the same amounts, people and times.
 * Refunds and offers stay in the window of their order, so that each window is complete.
 */
export function generateTimeWindow(plan: TimeWindowPlan): TimeWindow {
  const ledgerBuilder = new LedgerBuilder(plan);
  for (let number = 0; number < plan.orders; number += 1) ledgerBuilder.addOrder(number);
  return ledgerBuilder.close();
}

/** Generates unpaid checkouts that stay open for at least ten minutes after `now`. */
export function openCheckouts(account: string, seed: number, count: number, now: Date): Checkout[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => {
    const createdAt = new Date(now.getTime() - random.integer(1, 20) * minuteMs);
    return checkoutOf(account, random, cartOf(random), createdAt);
  });
}

interface DueRefund {
  readonly sale: Sale;
  readonly due: number;
  readonly plannedRefund: PlannedRefund;
}

/** Builds the ledger entries of one time window, order by order. */
class LedgerBuilder {
  readonly #plan: TimeWindowPlan;
  readonly #sales: Sale[] = [];
  readonly #refundEntries: RefundEntry[] = [];
  readonly #offers: Offer[] = [];
  readonly #expired: Checkout[] = [];
  /** By payment with a refund: the amounts that are invoiced and not credited. */
  readonly #billedTotals = new Map<string, Totals>();
  #dueRefunds: DueRefund[] = [];
  #unacceptedOffers = 0;
  #next: NextNumbers;

  constructor(plan: TimeWindowPlan) {
    if (plan.stepMs < minStepMs || plan.orders > maxOrders) {
      throw new Error('The plan has too many orders for its time.');
    }
    this.#plan = plan;
    this.#next = plan.next;
  }

  /** Adds the order with this index (from 0) in the window, and everything else of its time. */
  addOrder(number: number): void {
    const { seed, from, stepMs, orders } = this.#plan;
    // Depends only on the seed and the position, so that a continued run creates the same orders.
    const random = new Random(seed * 1_000_003 + this.#next.order);
    const begin = from.getTime() + number * stepMs;
    const at = new Date(begin + random.integer(0, Math.floor(stepMs / 2) - 1));
    const purchase = purchaseOf(random);
    const sale = this.#saleOf(random, purchase, at, number);
    this.#sales.push(sale);

    for (const plannedRefund of purchase.refunds) {
      const due = Math.min(number + plannedRefund.ordersLater, orders - 1);
      this.#dueRefunds.push({ sale, due, plannedRefund });
    }

    if (random.boolean(abandonedShare)) this.#addExpiredCheckout(random, at);
    if (random.boolean(offeringShare)) this.#addUnacceptedOffer(random, number);

    const due = this.#dueRefunds.filter((dueRefund) => dueRefund.due === number);
    this.#dueRefunds = this.#dueRefunds.filter((dueRefund) => dueRefund.due !== number);

    const refundsFrom = begin + Math.floor(stepMs / 2);
    due.forEach((dueRefund, index) => this.#addRefund(dueRefund, new Date(refundsFrom + index)));
  }

  /** Finishes the window: sorts its offers by creation and gives them positions. */
  close(): TimeWindow {
    const { offer: first } = this.#next;
    const offers = this.#offers.sort((one, other) => (one.id < other.id ? -1 : 1));
    for (const [index, offer] of offers.entries()) offer.position = first + index;
    return {
      sales: this.#sales,
      refundEntries: this.#refundEntries,
      offers,
      expired: this.#expired,
      next: { ...this.#next, offer: first + offers.length },
    };
  }

  #saleOf(random: Random, purchase: Purchase, at: Date, number: number): Sale {
    const plan = this.#plan;
    const offer =
      number > 0 && random.boolean(acceptingShare)
        ? this.#offerFor(random, purchase, at, number)
        : null;

    const openedEarlierMs = random.integer(1, 25) * minuteMs;
    const openedAt = new Date(
      Math.max(at.getTime() - openedEarlierMs, offer?.sentAt?.getTime() ?? 0),
    );
    const checkout = checkoutOf(plan.account, random, purchase, openedAt);
    const visited = openedAt.getTime() + random.integer(1, 50) * 1_000;
    checkout.visitedAt = new Date(Math.min(visited, at.getTime()));
    if (offer) linkToOffer(checkout, offer, plan);

    const entry = this.#entryAt(at);
    const order = buildOrder(entry, checkout, purchase.buyer);
    checkout.orderId = order.id;
    if (offer) accept(offer, order);

    const payment = paymentOf(entry, random, order, purchase, plan.now);
    const invoice = buildInvoice(entry, order, payment, this.#next.invoiceNumber);
    this.#count('order', 'payment', 'invoice', 'invoiceNumber');

    return { checkout, order, payment, invoice };
  }

  /** Adds an offer that the sale `number` accepts; it is created and sent some orders earlier. */
  #offerFor(random: Random, purchase: Purchase, at: Date, number: number): Offer {
    const offer = draftOffer(
      this.#plan,
      random,
      purchase,
      this.#idleMoment(Math.max(0, number - random.integer(1, 20))),
    );
    markSentAfter(offer, random.integer(1, this.#idleMs()));
    // The offer must still be open when it is paid.
    if (offer.expiresAt <= at) offer.expiresAt = new Date(at.getTime() + dayMs);
    this.#offers.push(offer);
    return offer;
  }

  /** Adds an offer that is not accepted. */
  #addUnacceptedOffer(random: Random, number: number): void {
    const offer = draftOffer(this.#plan, random, cartOf(random), this.#idleMoment(number));
    // Round robin, so that even a small shop has offers in every state.
    const outcome =
      unacceptedOutcomes[(this.#next.offer + this.#unacceptedOffers) % unacceptedOutcomes.length] ??
      'draft';
    this.#unacceptedOffers += 1;
    applyOutcome(offer, outcome, this.#plan, this.#idleMs());
    this.#offers.push(offer);
  }

  /** Returns a time after the order `number` and before the next one. */
  #idleMoment(number: number): Date {
    const { from, stepMs } = this.#plan;
    return new Date(from.getTime() + number * stepMs + Math.floor(stepMs / 2));
  }

  /** Returns the time without entries between two orders. */
  #idleMs(): number {
    return Math.floor(this.#plan.stepMs / 2) - 1;
  }

  #addRefund({ sale: { payment, invoice }, plannedRefund }: DueRefund, at: Date): void {
    const entry = this.#entryAt(at);
    const { amountMinorUnits: amount } = plannedRefund;
    const refund = buildRefund(payment.accountId, entry, payment, amount, plannedRefund);
    const billedTotals = this.#billedTotals.get(payment.id) ?? invoice.totals;
    const totals = prorate(billedTotals, amount);
    this.#billedTotals.set(payment.id, subtractTotals(billedTotals, totals));

    const { creditNoteNumber } = this.#next;
    const creditNote = buildCreditNote(entry, refund, invoice, creditNoteNumber, totals);

    this.#count('refund', 'invoice', 'creditNoteNumber');
    payment.refundedMinorUnits += amount;

    const isFull = payment.refundedMinorUnits === payment.amountMinorUnits;
    payment.status = isFull ? 'refunded' : 'partially_refunded';

    const paymentAfter = Object.assign(new Payment(), payment);
    this.#refundEntries.push({ refund, creditNote, paymentAfter });
  }

  #entryAt(at: Date): NextLedgerEntry {
    return { ...this.#next, at };
  }

  #count(...used: readonly (keyof NextNumbers)[]): void {
    for (const kind of used) this.#next = { ...this.#next, [kind]: this.#next[kind] + 1 };
  }

  #addExpiredCheckout(random: Random, at: Date): void {
    const openedAt = new Date(at.getTime() - lifetimeMs - random.integer(1, 60) * minuteMs);
    const checkout = checkoutOf(this.#plan.account, random, cartOf(random), openedAt);
    checkout.visitedAt = random.boolean(0.7) ? new Date(openedAt.getTime() + minuteMs) : null;
    checkout.expiredAt = checkout.expiresAt;
    this.#expired.push(checkout);
  }
}

/** Builds an unpaid, unvisited checkout of a cart. Its id is a secret, so it does not depend on the seed. */
function checkoutOf(
  accountId: string,
  random: Random,
  { buyer, metadata, affiliate, lineItems, totals }: Cart,
  createdAt: Date,
): Checkout {
  return entityOf(Checkout, {
    id: makeId('chk', createdAt),
    accountId,
    successUrl: 'https://shop.example/thanks',
    cancelUrl: 'https://shop.example/cart',
    embedOrigin: random.boolean(0.2) ? 'https://shop.example' : null,
    externalReference: `cart-${String(metadata['cart'])}`,
    buyerEmail: random.boolean(0.5) ? buyer.email : null,
    buyerEmailLocked: false,
    metadata,
    affiliate,
    lineItems,
    totals,
    orderId: null,
    offerId: null,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + lifetimeMs),
    visitedAt: null,
    expiredAt: null,
  });
}

/** Builds the payment of an order; its cash flow date is some days later, or null if that is after `now`. */
function paymentOf(
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
function subtractTotals(whole: Totals, part: Totals): Totals {
  return entityOf(Totals, {
    currency: whole.currency,
    subtotalMinorUnits: whole.subtotalMinorUnits - part.subtotalMinorUnits,
    discountMinorUnits: whole.discountMinorUnits - part.discountMinorUnits,
    shippingMinorUnits: whole.shippingMinorUnits - part.shippingMinorUnits,
    taxMinorUnits: whole.taxMinorUnits - part.taxMinorUnits,
    totalMinorUnits: whole.totalMinorUnits - part.totalMinorUnits,
  });
}

/** Drafts an offer of `cart` at the time `at`; it has no position yet. */
function draftOffer(
  { account: accountId }: TimeWindowPlan,
  random: Random,
  { buyer, lineItems, metadata, totals }: Cart,
  at: Date,
): Offer {
  return entityOf(Offer, {
    id: makeId('off', at),
    accountId,
    position: 0,
    recipientEmail: buyer.email,
    title: `${lineItems[0]?.product.name ?? 'Everything'}, for ${buyer.name ?? buyer.email}`,
    message: random.boolean(0.5) ? 'As we said on the phone.\nWe look forward to it.' : null,
    metadata,
    lineItems,
    totals,
    sendCount: 0,
    sentAt: null,
    acceptedAt: null,
    cancelledAt: null,
    orderId: null,
    expiresAt: new Date(at.getTime() + longLifetimeMs),
    createdAt: at,
    updatedAt: at,
  });
}

/** Applies an outcome within `lifeMs`. An offer expires only if its short lifetime ended before now. */
function applyOutcome(
  offer: Offer,
  outcome: (typeof unacceptedOutcomes)[number],
  { now }: TimeWindowPlan,
  lifeMs: number,
): void {
  if (outcome === 'draft') return;
  markSentAfter(offer, Math.floor(lifeMs / 2));
  if (outcome === 'cancelled') {
    offer.cancelledAt = new Date(offer.createdAt.getTime() + lifeMs - 1);
    offer.updatedAt = offer.cancelledAt;
  }
  const end = offer.createdAt.getTime() + shortLifetimeMs;
  if (outcome === 'expired' && end < now.getTime()) offer.expiresAt = new Date(end);
}

/** Marks a draft as sent `ms` after its creation. */
function markSentAfter(offer: Offer, ms: number): void {
  offer.sendCount = 1;
  offer.sentAt = new Date(offer.createdAt.getTime() + ms);
  offer.updatedAt = offer.sentAt;
}

/** Turns a checkout into the one that accepts an offer. */
function linkToOffer(checkout: Checkout, offer: Offer, { baseUrl }: TimeWindowPlan): void {
  const address = offerUrl(baseUrl, offer.id);
  Object.assign(checkout, {
    offerId: offer.id,
    successUrl: address,
    cancelUrl: address,
    buyerEmail: offer.recipientEmail,
    buyerEmailLocked: true,
    embedOrigin: null,
    externalReference: '',
  });
}

/** Records the order that accepted an offer. */
function accept(offer: Offer, { id, completedAt }: Order): void {
  offer.orderId = id;
  offer.acceptedAt = completedAt;
  offer.updatedAt = completedAt;
}
