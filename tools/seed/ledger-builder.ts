import type { Checkout } from '../../src/domain/checkout/checkout.entity.js';
import type { Invoice } from '../../src/domain/commerce/invoice.entity.js';
import { prorate } from '../../src/domain/commerce/prorate.js';
import type { Totals } from '../../src/domain/commerce/totals.entity.js';
import type { Offer } from '../../src/domain/offer/offer.entity.js';
import { Random } from './random.js';
import {
  documentOf,
  type DocumentOf,
  orderOf,
  paymentOf,
  refundedStatus,
  refundOf,
  type RefundEntry,
  type Sale,
  subtractTotals,
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

/** Builds the ledger entries of one time window, order by order. */
export class LedgerBuilder {
  readonly #plan: TimeWindowPlan;
  readonly #sales: Sale[] = [];
  readonly #refundEntries: RefundEntry[] = [];
  readonly #offers: Offer[] = [];
  readonly #expired: Checkout[] = [];
  /** By payment: the amounts that are invoiced and not credited. */
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
    this.#billedTotals.set(sale.payment.id, sale.invoice.totals);
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
    const checkout = checkoutOf(plan, random, purchase, openedAt);
    const visited = openedAt.getTime() + random.integer(1, 50) * 1_000;
    checkout.visitedAt = new Date(Math.min(visited, at.getTime()));
    if (offer) linkToOffer(checkout, offer, plan);
    const order = orderOf(plan, this.#next.order, checkout, purchase, at);
    checkout.orderId = order.id;
    if (offer) accept(offer, order);
    const payment = paymentOf(plan, this.#next.payment, random, order, purchase);
    this.#next = { ...this.#next, order: this.#next.order + 1, payment: this.#next.payment + 1 };
    const { totals } = purchase;
    const invoice = this.#documentOf({ order, payment, totals, refundId: null, at });
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

  #addRefund({ sale: { order, payment }, plannedRefund }: DueRefund, at: Date): void {
    const refund = refundOf(this.#plan, this.#next.refund, payment, plannedRefund, at);
    this.#next = { ...this.#next, refund: this.#next.refund + 1 };
    const billedTotals = this.#billedTotals.get(payment.id) ?? order.totals;
    const totals = prorate(billedTotals, plannedRefund.amountMinorUnits);
    this.#billedTotals.set(payment.id, subtractTotals(billedTotals, totals));
    const creditNote = this.#documentOf({ order, payment, totals, refundId: refund.id, at });
    payment.refundedMinorUnits += plannedRefund.amountMinorUnits;
    payment.status = refundedStatus(payment);
    const { id, status, refundedMinorUnits, amountMinorUnits } = payment;
    const paymentAfter = { id, status, amountMinorUnits, refundedMinorUnits };
    this.#refundEntries.push({ refund, creditNote, paymentAfter });
  }

  #documentOf(about: DocumentOf): Invoice {
    const kind = about.refundId === null ? 'invoiceNumber' : 'creditNoteNumber';
    const count = this.#next[kind];
    const document = documentOf(this.#plan, this.#next.invoice, count, about);
    this.#next = { ...this.#next, invoice: this.#next.invoice + 1, [kind]: count + 1 };
    return document;
  }

  #addExpiredCheckout(random: Random, at: Date): void {
    const openedAt = new Date(at.getTime() - lifetimeMs - random.integer(1, 60) * minuteMs);
    const checkout = checkoutOf(this.#plan, random, cartOf(random), openedAt);
    checkout.visitedAt = random.boolean(0.7) ? new Date(openedAt.getTime() + minuteMs) : null;
    checkout.expiredAt = checkout.expiresAt;
    this.#expired.push(checkout);
  }
}
