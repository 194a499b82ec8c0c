import type { Checkout } from '../domain/checkout/checkout.entity.js';
import type { Invoice } from '../domain/commerce/invoice.entity.js';
import { shareOf } from '../domain/commerce/share-of.js';
import type { Totals } from '../domain/commerce/totals.entity.js';
import type { Offer } from '../domain/offer/offer.entity.js';
import { Chance } from './chance.js';
import {
  documentOf,
  type DocumentOf,
  orderOf,
  paymentOf,
  refundedStatus,
  refundOf,
  type Return,
  type Sale,
  without,
} from './entries.js';
import { accept, draftOf, leadTo, meetFate, offerFates, sendAfter } from './made-up-offer.js';
import { checkoutOf, lifetimeMs } from './open-checkouts.js';
import { cartOf, type GivenBack, type Purchase, purchaseOf } from './purchase.js';
import { leastStepMs, maxOrders, type NextNumbers, type StretchPlan } from './stretch-plan.js';

/** What a plan is made into; each in the order of time and of positions. */
export interface Stretch {
  readonly sales: readonly Sale[];
  readonly returns: readonly Return[];
  readonly offers: readonly Offer[];
  /** Checkouts that reached their expiry unpaid. */
  readonly expired: readonly Checkout[];
  /** What comes after it. */
  readonly next: NextNumbers;
}

interface Owed {
  readonly sale: Sale;
  readonly due: number;
  readonly back: GivenBack;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
const abandonedShare = 0.3;
const acceptingShare = 0.01;
const offeringShare = 0.02;

/** The books of an account, as a stretch of its history fills them, order by order. */
export class Books {
  readonly #plan: StretchPlan;
  readonly #sales: Sale[] = [];
  readonly #returns: Return[] = [];
  readonly #offers: Offer[] = [];
  readonly #expired: Checkout[] = [];
  /** What of each payment is billed and not credited. */
  readonly #billed = new Map<string, Totals>();
  #owed: Owed[] = [];
  #inVain = 0;
  #next: NextNumbers;

  constructor(plan: StretchPlan) {
    if (plan.stepMs < leastStepMs || plan.orders > maxOrders) throw new Error('too dense a plan');
    this.#plan = plan;
    this.#next = plan.next;
  }

  /** The order of that number in the stretch, from 0, and what else falls into its time. */
  sell(number: number): void {
    const { seed, from, stepMs, orders } = this.#plan;
    // Of the seed and the order's position alone, so that a run that goes on makes the same.
    const chance = new Chance(seed * 1_000_003 + this.#next.order);
    const begin = from.getTime() + number * stepMs;
    const at = new Date(begin + chance.whole(0, Math.floor(stepMs / 2) - 1));
    const purchase = purchaseOf(chance);
    const sale = this.#saleOf(chance, purchase, at, number);
    this.#sales.push(sale);
    this.#billed.set(sale.payment.id, sale.invoice.totals);
    for (const back of purchase.refunds) {
      const due = Math.min(number + back.ordersLater, orders - 1);
      this.#owed.push({ sale, due, back });
    }
    if (chance.happens(abandonedShare)) this.#abandon(chance, at);
    if (chance.happens(offeringShare)) this.#offerInVain(chance, number);
    const due = this.#owed.filter((owed) => owed.due === number);
    this.#owed = this.#owed.filter((owed) => owed.due !== number);
    const afterwards = begin + Math.floor(stepMs / 2);
    due.forEach((owed, index) => this.#giveBack(owed, new Date(afterwards + index)));
  }

  /** Ends the stretch; its offers are in the order in which they were made only now. */
  close(): Stretch {
    const { offer: first } = this.#next;
    const offers = this.#offers.sort((one, other) => (one.id < other.id ? -1 : 1));
    for (const [index, offer] of offers.entries()) offer.position = first + index;
    return {
      sales: this.#sales,
      returns: this.#returns,
      offers,
      expired: this.#expired,
      next: { ...this.#next, offer: first + offers.length },
    };
  }

  #saleOf(chance: Chance, purchase: Purchase, at: Date, number: number): Sale {
    const plan = this.#plan;
    const offer =
      number > 0 && chance.happens(acceptingShare)
        ? this.#offerFor(chance, purchase, at, number)
        : null;
    const sooner = chance.whole(1, 25) * minuteMs;
    const opened = new Date(Math.max(at.getTime() - sooner, offer?.sentAt?.getTime() ?? 0));
    const checkout = checkoutOf(plan, chance, purchase, opened);
    const visited = opened.getTime() + chance.whole(1, 50) * 1_000;
    checkout.visitedAt = new Date(Math.min(visited, at.getTime()));
    if (offer) leadTo(checkout, offer, plan);
    const order = orderOf(plan, this.#next.order, checkout, purchase, at);
    checkout.orderId = order.id;
    if (offer) accept(offer, order);
    const payment = paymentOf(plan, this.#next.payment, chance, order, purchase);
    this.#next = { ...this.#next, order: this.#next.order + 1, payment: this.#next.payment + 1 };
    const { totals } = purchase;
    const invoice = this.#documentOf({ order, payment, totals, refundId: null, at });
    return { checkout, order, payment, invoice };
  }

  /** An offer that the sale of that number accepts; made and sent some orders before. */
  #offerFor(chance: Chance, purchase: Purchase, at: Date, number: number): Offer {
    const offer = draftOf(
      this.#plan,
      chance,
      purchase,
      this.#quietMoment(Math.max(0, number - chance.whole(1, 20))),
    );
    sendAfter(offer, chance.whole(1, this.#quietMs()));
    // However long ago: it was open when it was paid.
    if (offer.expiresAt <= at) offer.expiresAt = new Date(at.getTime() + dayMs);
    this.#offers.push(offer);
    return offer;
  }

  /** An offer that nobody accepted. */
  #offerInVain(chance: Chance, number: number): void {
    const offer = draftOf(this.#plan, chance, cartOf(chance), this.#quietMoment(number));
    // In turn, so that a small shop has offers in every state.
    const fate = offerFates[(this.#next.offer + this.#inVain) % offerFates.length] ?? 'draft';
    this.#inVain += 1;
    meetFate(offer, fate, this.#plan, this.#quietMs());
    this.#offers.push(offer);
  }

  /** After the order of that number and before the next one. */
  #quietMoment(number: number): Date {
    const { from, stepMs } = this.#plan;
    return new Date(from.getTime() + number * stepMs + Math.floor(stepMs / 2));
  }

  /** How long it is quiet. */
  #quietMs(): number {
    return Math.floor(this.#plan.stepMs / 2) - 1;
  }

  #giveBack({ sale: { order, payment }, back }: Owed, at: Date): void {
    const refund = refundOf(this.#plan, this.#next.refund, payment, back, at);
    this.#next = { ...this.#next, refund: this.#next.refund + 1 };
    const billed = this.#billed.get(payment.id) ?? order.totals;
    const totals = shareOf(billed, back.amountMinorUnits);
    this.#billed.set(payment.id, without(billed, totals));
    const creditNote = this.#documentOf({ order, payment, totals, refundId: refund.id, at });
    payment.refundedMinorUnits += back.amountMinorUnits;
    payment.status = refundedStatus(payment);
    const { id, status, refundedMinorUnits, amountMinorUnits } = payment;
    const left = { id, status, amountMinorUnits, refundedMinorUnits };
    this.#returns.push({ refund, creditNote, left });
  }

  #documentOf(about: DocumentOf): Invoice {
    const kind = about.refundId === null ? 'invoiceNumber' : 'creditNoteNumber';
    const count = this.#next[kind];
    const document = documentOf(this.#plan, this.#next.invoice, count, about);
    this.#next = { ...this.#next, invoice: this.#next.invoice + 1, [kind]: count + 1 };
    return document;
  }

  #abandon(chance: Chance, at: Date): void {
    const opened = new Date(at.getTime() - lifetimeMs - chance.whole(1, 60) * minuteMs);
    const checkout = checkoutOf(this.#plan, chance, cartOf(chance), opened);
    checkout.visitedAt = chance.happens(0.7) ? new Date(opened.getTime() + minuteMs) : null;
    checkout.expiredAt = checkout.expiresAt;
    this.#expired.push(checkout);
  }
}
