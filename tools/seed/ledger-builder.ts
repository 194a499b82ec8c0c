import type { Checkout } from '../../src/domain/checkout/checkout.entity.js';
import type { NextLedgerEntry } from '../../src/domain/commerce/ledger.js';
import { Payment } from '../../src/domain/payment/payment.entity.js';
import { prorate, type Totals } from '../../src/domain/commerce/line-items.js';
import type { Offer } from '../../src/domain/offer/offer.entity.js';
import { buildInvoice, buildOrder } from '../../src/domain/payment/record-payment.js';
import { buildCreditNote, buildRefund } from '../../src/domain/payment/refunds.js';
import { Random } from './random.js';
import {
  paymentOf,
  type RefundEntry,
  type Sale,
  subtractTotals,
  type TimeWindow,
} from './ledger-entries.js';
import {
  accept,
  draftOffer,
  linkToOffer,
  applyOutcome,
  unacceptedOutcomes,
  markSentAfter,
} from './generated-offer.js';
import { checkoutOf, lifetimeMs } from './open-checkouts.js';
import { cartOf, type PlannedRefund, type Purchase, purchaseOf } from './purchase.js';
import { minStepMs, maxOrders, type NextNumbers, type TimeWindowPlan } from './time-window-plan.js';

interface DueRefund {
  readonly sale: Sale;
  readonly due: number;
  readonly plannedRefund: PlannedRefund;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
const abandonedShare = 0.3;
const acceptingShare = 0.01;
const offeringShare = 0.02;

/**
 * Generates one time window of history. The same plan always gives the same amounts, people and times.
 * Refunds and offers stay in the window of their order, so that each window is complete.
 */
export function generateTimeWindow(plan: TimeWindowPlan): TimeWindow {
  const ledgerBuilder = new LedgerBuilder(plan);
  for (let number = 0; number < plan.orders; number += 1) ledgerBuilder.addOrder(number);
  return ledgerBuilder.close();
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
    if (plan.stepMs < minStepMs || plan.orders > maxOrders) throw new Error('plan is too dense');
    this.#plan = plan;
    this.#next = plan.next;
  }

  /** Adds the order with this index (from 0) in the window, and everything else of its time. */
  addOrder(number: number): void {
    const { seed, from, stepMs, orders } = this.#plan;
    // Depends only on the seed and the position, so that a continued run makes the same orders.
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

  /** A time after the order `number` and before the next one. */
  #idleMoment(number: number): Date {
    const { from, stepMs } = this.#plan;
    return new Date(from.getTime() + number * stepMs + Math.floor(stepMs / 2));
  }

  /** The time without entries between two orders. */
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
