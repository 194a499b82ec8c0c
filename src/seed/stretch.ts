import type { Checkout } from '../domain/checkout/checkout.entity.js';
import { Invoice } from '../domain/commerce/invoice.entity.js';
import { Order } from '../domain/commerce/order.entity.js';
import { Payment, type PaymentStatus } from '../domain/commerce/payment.entity.js';
import { Refund } from '../domain/commerce/refund.entity.js';
import { shareOf } from '../domain/commerce/share-of.js';
import { Totals } from '../domain/commerce/totals.entity.js';
import { entityOf } from '../domain/entity.js';
import { Chance } from './chance.js';
import { checkoutOf, lifetimeMs, type MakeId } from './open-checkouts.js';
import { cartOf, type GivenBack, type Purchase, purchaseOf } from './purchase.js';

/** The positions and numbers that come next in an account's books. */
export interface NextNumbers {
  readonly order: number;
  readonly payment: number;
  readonly refund: number;
  readonly invoice: number;
  readonly invoiceNumber: number;
  readonly creditNoteNumber: number;
}

/** A stretch of an account's history: what one batch inserts. */
export interface StretchPlan {
  readonly seed: number;
  readonly account: string;
  /** How many orders. */
  readonly orders: number;
  readonly next: NextNumbers;
  /** When the first order was made. */
  readonly from: Date;
  /** Milliseconds from one order to the next; at least {@link leastStepMs}. */
  readonly stepMs: number;
  /** What is later has not happened. */
  readonly now: Date;
  readonly makeId: MakeId;
}

/** A paid checkout and what the payment made. */
export interface Sale {
  readonly checkout: Checkout;
  readonly order: Order;
  /** As the refunds of the stretch left it. */
  readonly payment: Payment;
  readonly invoice: Invoice;
}

/** A refund and its credit note. */
export interface Return {
  readonly refund: Refund;
  readonly creditNote: Invoice;
  /** The payment as this refund left it. */
  readonly left: Pick<Payment, 'id' | 'status' | 'amountMinorUnits' | 'refundedMinorUnits'>;
}

/** What a plan is made into; each in the order of time and of positions. */
export interface Stretch {
  readonly sales: readonly Sale[];
  readonly returns: readonly Return[];
  /** Checkouts that reached their expiry unpaid. */
  readonly expired: readonly Checkout[];
  /** What comes after it. */
  readonly next: NextNumbers;
}

/** Below it the refunds that fall due together would not fit between two orders. */
export const leastStepMs = 2_000;

/** The most orders of a stretch, for the same reason. */
export const maxOrders = 500;

const minuteMs = 60_000;
const dayMs = 86_400_000;
const abandonedShare = 0.3;

/**
 * Makes a stretch of history: the same plan makes the same amounts, people and moments, whatever
 * stands around it. Refunds fall into the stretch of their order, so that each is whole by itself.
 */
export function stretchOf(plan: StretchPlan): Stretch {
  const books = new Books(plan);
  for (let number = 0; number < plan.orders; number += 1) books.sell(number);
  return books.close();
}

interface Owed {
  readonly sale: Sale;
  readonly due: number;
  readonly back: GivenBack;
}

class Books {
  readonly #plan: StretchPlan;
  readonly #sales: Sale[] = [];
  readonly #returns: Return[] = [];
  readonly #expired: Checkout[] = [];
  /** What of each payment is billed and not credited. */
  readonly #billed = new Map<string, Totals>();
  #owed: Owed[] = [];
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
    const sale = this.#saleOf(chance, purchase, at);
    this.#sales.push(sale);
    this.#billed.set(sale.payment.id, sale.invoice.totals);
    for (const back of purchase.refunds) {
      const due = Math.min(number + back.ordersLater, orders - 1);
      this.#owed.push({ sale, due, back });
    }
    if (chance.happens(abandonedShare)) this.#abandon(chance, at);
    const due = this.#owed.filter((owed) => owed.due === number);
    this.#owed = this.#owed.filter((owed) => owed.due !== number);
    const afterwards = begin + Math.floor(stepMs / 2);
    due.forEach((owed, index) => this.#giveBack(owed, new Date(afterwards + index)));
  }

  close(): Stretch {
    return {
      sales: this.#sales,
      returns: this.#returns,
      expired: this.#expired,
      next: this.#next,
    };
  }

  #saleOf(chance: Chance, purchase: Purchase, at: Date): Sale {
    const { account: accountId, makeId } = this.#plan;
    const { buyer, totals, lineItems, metadata, affiliate } = purchase;
    const opened = new Date(at.getTime() - chance.whole(1, 25) * minuteMs);
    const checkout = checkoutOf(this.#plan, chance, purchase, opened);
    checkout.visitedAt = new Date(opened.getTime() + chance.whole(1, 50) * 1_000);
    const order = entityOf(Order, {
      id: makeId('ord', at),
      accountId,
      position: this.#next.order,
      checkoutId: checkout.id,
      externalReference: checkout.externalReference,
      ...{ buyer, metadata, affiliate, lineItems, totals },
      createdAt: at,
      completedAt: at,
    });
    checkout.orderId = order.id;
    const payment = this.#paymentOf(chance, order, purchase);
    const invoice = this.#documentOf(order, payment, totals, at, null);
    this.#next = { ...this.#next, order: this.#next.order + 1, payment: this.#next.payment + 1 };
    return { checkout, order, payment, invoice };
  }

  #paymentOf(chance: Chance, order: Order, purchase: Purchase): Payment {
    const { currency, totalMinorUnits: amountMinorUnits } = order.totals;
    const { feeMinorUnits, method, chargedBack } = purchase;
    const booked = new Date(order.createdAt.getTime() + chance.whole(2, 7) * dayMs);
    return entityOf(Payment, {
      id: this.#plan.makeId('pay', order.createdAt),
      accountId: order.accountId,
      position: this.#next.payment,
      orderId: order.id,
      status: chargedBack ? 'charged_back' : 'succeeded',
      ...{ currency, amountMinorUnits, feeMinorUnits, method },
      refundedMinorUnits: 0,
      netMinorUnits: amountMinorUnits - feeMinorUnits,
      buyerEmail: order.buyer.email,
      key: null,
      fingerprint: null,
      createdAt: order.createdAt,
      cashFlowAt: booked.getTime() <= this.#plan.now.getTime() ? booked : null,
    });
  }

  #giveBack({ sale: { order, payment }, back }: Owed, at: Date): void {
    const { amountMinorUnits, reason, note } = back;
    const { id: paymentId, accountId, orderId, currency } = payment;
    const refund = entityOf(Refund, {
      id: this.#plan.makeId('rfd', at),
      position: this.#next.refund,
      status: 'succeeded',
      ...{ accountId, paymentId, orderId, currency, amountMinorUnits, reason, note },
      createdAt: at,
      cashFlowAt: at,
    });
    this.#next = { ...this.#next, refund: this.#next.refund + 1 };
    const billed = this.#billed.get(paymentId) ?? order.totals;
    const share = shareOf(billed, amountMinorUnits);
    this.#billed.set(paymentId, without(billed, share));
    const creditNote = this.#documentOf(order, payment, share, at, refund.id);
    payment.refundedMinorUnits += amountMinorUnits;
    payment.status = statusOf(payment);
    const { id, status, refundedMinorUnits } = payment;
    const left = { id, status, amountMinorUnits: payment.amountMinorUnits, refundedMinorUnits };
    this.#returns.push({ refund, creditNote, left });
  }

  #documentOf(
    { accountId, id: orderId, buyer }: Order,
    { id: paymentId }: Payment,
    totals: Totals,
    at: Date,
    refundId: string | null,
  ): Invoice {
    const kind = refundId === null ? 'invoiceNumber' : 'creditNoteNumber';
    const count = this.#next[kind];
    const document = entityOf(Invoice, {
      id: this.#plan.makeId('inv', at),
      position: this.#next.invoice,
      number: `${refundId === null ? 'INV' : 'CN'}-${String(count).padStart(6, '0')}`,
      type: refundId === null ? 'invoice' : 'credit_note',
      ...{ accountId, orderId, paymentId, refundId, buyer, totals },
      issuedAt: at,
      createdAt: at,
    });
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

function statusOf({ refundedMinorUnits, amountMinorUnits }: Payment): PaymentStatus {
  return refundedMinorUnits === amountMinorUnits ? 'refunded' : 'partially_refunded';
}

function without(whole: Totals, part: Totals): Totals {
  return entityOf(Totals, {
    currency: whole.currency,
    subtotalMinorUnits: whole.subtotalMinorUnits - part.subtotalMinorUnits,
    discountMinorUnits: whole.discountMinorUnits - part.discountMinorUnits,
    shippingMinorUnits: whole.shippingMinorUnits - part.shippingMinorUnits,
    taxMinorUnits: whole.taxMinorUnits - part.taxMinorUnits,
    totalMinorUnits: whole.totalMinorUnits - part.totalMinorUnits,
  });
}
