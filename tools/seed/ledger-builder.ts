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
  draftPath,
  linkToOffer,
  applyOutcome,
  unacceptedOutcomes,
  markSentAfter,
} from './generated-offer.js';
import { checkoutOf, lifetimeMs } from './open-checkouts.js';
import { cartOf, type PlannedRefund, type Purchase, purchaseOf } from './purchase.js';
import { minStepMs, maxOrders, type NextNumbers, type TimeWindowPlan } from './time-window-plan.js';

/** What a plan is made into; each in the order of time and of positions. */
export interface TimeWindow {
  readonly sales: readonly Sale[];
  readonly refundEntries: readonly RefundEntry[];
  readonly offers: readonly Offer[];
  /** Checkouts that reached their expiry unpaid. */
  readonly expired: readonly Checkout[];
  /** What comes after it. */
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

/** The books of an account, as a stretch of its history fills them, order by order. */
export class LedgerBuilder {
  readonly #plan: TimeWindowPlan;
  readonly #sales: Sale[] = [];
  readonly #refundEntries: RefundEntry[] = [];
  readonly #offers: Offer[] = [];
  readonly #expired: Checkout[] = [];
  /** What of each payment is billed and not credited. */
  readonly #billedTotals = new Map<string, Totals>();
  #dueRefund: DueRefund[] = [];
  #unacceptedOffers = 0;
  #next: NextNumbers;

  constructor(plan: TimeWindowPlan) {
    if (plan.stepMs < minStepMs || plan.orders > maxOrders) throw new Error('too dense a plan');
    this.#plan = plan;
    this.#next = plan.next;
  }

  /** The order of that number in the stretch, from 0, and what else falls into its time. */
  addOrder(number: number): void {
    const { seed, from, stepMs, orders } = this.#plan;
    // Of the seed and the order's position alone, so that a run that goes on makes the same.
    const random = new Random(seed * 1_000_003 + this.#next.order);
    const begin = from.getTime() + number * stepMs;
    const at = new Date(begin + random.integer(0, Math.floor(stepMs / 2) - 1));
    const purchase = purchaseOf(random);
    const sale = this.#saleOf(random, purchase, at, number);
    this.#sales.push(sale);
    this.#billedTotals.set(sale.payment.id, sale.invoice.totals);
    for (const plannedRefund of purchase.refunds) {
      const due = Math.min(number + plannedRefund.ordersLater, orders - 1);
      this.#dueRefund.push({ sale, due, plannedRefund });
    }
    if (random.boolean(abandonedShare)) this.#addExpiredCheckout(random, at);
    if (random.boolean(offeringShare)) this.#addUnacceptedOffer(random, number);
    const due = this.#dueRefund.filter((dueRefund) => dueRefund.due === number);
    this.#dueRefund = this.#dueRefund.filter((dueRefund) => dueRefund.due !== number);
    const refundsFrom = begin + Math.floor(stepMs / 2);
    due.forEach((dueRefund, index) => this.#addRefund(dueRefund, new Date(refundsFrom + index)));
  }

  /** Ends the stretch; its offers are in the order in which they were made only now. */
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
    const openedEntry = new Date(
      Math.max(at.getTime() - openedEarlierMs, offer?.sentAt?.getTime() ?? 0),
    );
    const checkout = checkoutOf(plan, random, purchase, openedEntry);
    const visited = openedEntry.getTime() + random.integer(1, 50) * 1_000;
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

  /** An offer that the sale of that number accepts; made and sent some orders before. */
  #offerFor(random: Random, purchase: Purchase, at: Date, number: number): Offer {
    const offer = draftPath(
      this.#plan,
      random,
      purchase,
      this.#idleMoment(Math.max(0, number - random.integer(1, 20))),
    );
    markSentAfter(offer, random.integer(1, this.#idleMs()));
    // However long ago: it was open when it was paid.
    if (offer.expiresAt <= at) offer.expiresAt = new Date(at.getTime() + dayMs);
    this.#offers.push(offer);
    return offer;
  }

  /** An offer that nobody accepted. */
  #addUnacceptedOffer(random: Random, number: number): void {
    const offer = draftPath(this.#plan, random, cartOf(random), this.#idleMoment(number));
    // In turn, so that a small shop has offers in every state.
    const outcome =
      unacceptedOutcomes[(this.#next.offer + this.#unacceptedOffers) % unacceptedOutcomes.length] ??
      'draft';
    this.#unacceptedOffers += 1;
    applyOutcome(offer, outcome, this.#plan, this.#idleMs());
    this.#offers.push(offer);
  }

  /** After the order of that number and before the next one. */
  #idleMoment(number: number): Date {
    const { from, stepMs } = this.#plan;
    return new Date(from.getTime() + number * stepMs + Math.floor(stepMs / 2));
  }

  /** How long it is quiet. */
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
    const openedEntry = new Date(at.getTime() - lifetimeMs - random.integer(1, 60) * minuteMs);
    const checkout = checkoutOf(this.#plan, random, cartOf(random), openedEntry);
    checkout.visitedAt = random.boolean(0.7) ? new Date(openedEntry.getTime() + minuteMs) : null;
    checkout.expiredAt = checkout.expiresAt;
    this.#expired.push(checkout);
  }
}
