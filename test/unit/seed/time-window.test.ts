import { expect } from 'chai';
import fc from 'fast-check';
import type { Totals } from '../../../src/domain/commerce/line-items.js';
import { timestampOf } from '../../../src/domain/values/id.js';
import { statusOf } from '../../../src/domain/offer/offers.js';
import {
  evidenceOf,
  generateDeliveries,
  statisticsOf,
  type Subscriber,
} from '../../../tools/seed/deliveries.js';
import {
  generateTimeWindow,
  maxOrders,
  minStepMs,
  openCheckouts,
  type TimeWindow,
  type TimeWindowPlan,
} from '../../../tools/seed/time-window.js';
import { timelineEvents } from '../../../tools/seed/timeline.js';
import { checkEvent } from '../../support/contract.js';

const now = new Date('2026-11-21T06:00:00.000Z');
const account = 'acc_shop';

/** A time window as text. A number in the order of appearance replaces the random part of each id. */
function comparable(timeWindow: TimeWindow): string {
  const seen = new Map<string, number>();
  return JSON.stringify(timeWindow).replaceAll(
    /\b([a-z]{3}_\w{8})\w{16}\b/g,
    (id, time: string) => {
      const number = seen.get(id) ?? seen.size;
      seen.set(id, number);
      return `${time}-${number}`;
    },
  );
}

function planOf(changes: Partial<TimeWindowPlan> = {}): TimeWindowPlan {
  return {
    seed: 1,
    account,
    orders: 400,
    next: {
      order: 1,
      payment: 1,
      refund: 1,
      invoice: 1,
      offer: 1,
      invoiceNumber: 1,
      creditNoteNumber: 1,
    },
    baseUrl: 'https://api.example',
    from: new Date(now.getTime() - 30 * 86_400_000),
    stepMs: 3_600_000,
    now,
    ...changes,
  };
}

const plans = fc
  .record({
    seed: fc.nat(),
    orders: fc.integer({ min: 1, max: maxOrders }),
    stepMs: fc.integer({ min: minStepMs, max: 10 * minStepMs }),
    position: fc.integer({ min: 1, max: 1_000_000 }),
  })
  .map(({ position, ...rest }) => {
    const next = { order: position, payment: position, refund: 7, invoice: 2 * position, offer: 3 };
    return planOf({ ...rest, next: { ...next, invoiceNumber: position, creditNoteNumber: 7 } });
  });

const holds = (property: (timeWindow: TimeWindow, plan: TimeWindowPlan) => void) =>
  fc.assert(
    fc.property(plans, (plan) => property(generateTimeWindow(plan), plan)),
    { numRuns: 20 },
  );

describe('a time window of a made-up shop', () => {
  it('adds up line items to totals, refunds to payments, and credit notes to invoices', () => {
    holds(({ sales, refundEntries, expired }) => {
      for (const { checkout, order, payment, invoice } of sales) {
        checkTotals(order.totals, order.lineItems);
        expect(order.totals).to.equal(checkout.totals).and.to.equal(invoice.totals);
        expect(payment.amountMinorUnits).to.equal(order.totals.totalMinorUnits);
        expect(payment.netMinorUnits + payment.feeMinorUnits).to.equal(payment.amountMinorUnits);
        expect(payment.feeMinorUnits).to.be.within(0, payment.amountMinorUnits);

        const entries = refundEntries.filter(({ refund }) => refund.paymentId === payment.id);
        const refunded = sum(entries.map(({ refund }) => refund.amountMinorUnits));
        expect(payment.refundedMinorUnits)
          .to.equal(refunded)
          .and.to.be.at.most(payment.amountMinorUnits);

        if (payment.status !== 'charged_back') {
          const status = refunded === payment.amountMinorUnits ? 'refunded' : 'partially_refunded';
          expect(payment.status).to.equal(refunded === 0 ? 'succeeded' : status);
        }

        for (const part of ['subtotal', 'discount', 'shipping', 'tax'] as const) {
          const amount = `${part}MinorUnits` as const;
          const credited = sum(entries.map(({ creditNote }) => creditNote.totals[amount]));
          if (payment.status === 'refunded') expect(credited).to.equal(invoice.totals[amount]);
          else expect(credited).to.be.at.most(invoice.totals[amount]);
        }
      }

      for (const { refund, creditNote } of refundEntries) {
        expect(refund.amountMinorUnits).to.be.at.least(1);
        checkTotals(creditNote.totals);
        expect(creditNote.totals.totalMinorUnits).to.equal(refund.amountMinorUnits);
        expect(creditNote.refundId).to.equal(refund.id);
      }

      for (const { totals, lineItems } of expired) checkTotals(totals, lineItems);
    });
  });

  it('numbers every kind of entry without gaps, in the order of time and of ids', () => {
    holds(({ sales, refundEntries, offers, next }, { next: first, from, stepMs, orders }) => {
      const ledger = {
        offer: offers,
        order: sales.map(({ order }) => order),
        payment: sales.map(({ payment }) => payment),
        refund: refundEntries.map(({ refund }) => refund),
        invoice: [
          ...sales.map(({ invoice }) => invoice),
          ...refundEntries.map(({ creditNote }) => creditNote),
        ].sort((one, other) => one.position - other.position),
      };

      for (const kind of ['order', 'payment', 'refund', 'invoice', 'offer'] as const) {
        const entries = ledger[kind];
        const positions = entries.map((_, index) => first[kind] + index);
        expect(entries.map(({ position }) => position)).to.deep.equal(positions);
        expect(next[kind]).to.equal(first[kind] + entries.length);

        const moments = entries.map(({ createdAt }) => createdAt.getTime());
        expect(moments).to.deep.equal([...moments].sort((one, other) => one - other));
        expect(entries.map(({ id }) => timestampOf(id).getTime())).to.deep.equal(moments);

        const within = moments.every(
          (at) => at >= from.getTime() && at < from.getTime() + orders * stepMs,
        );
        expect(within, kind).to.equal(true);
      }

      const numbers = ledger.invoice.map(({ number }) => number);
      expect(new Set(numbers)).to.have.lengthOf(numbers.length);

      const last = `INV-${String(next.invoiceNumber - 1).padStart(6, '0')}`;
      expect(numbers).to.include(last);
    });
  });

  it('accepts an offer with the sale that pays it, after it was sent and before it expires', () => {
    holds(({ sales, offers }, { baseUrl }) => {
      const accepted = offers.filter(({ orderId }) => orderId !== null);
      const paid = sales.filter(({ checkout }) => checkout.offerId !== null);
      expect(accepted.map(({ id }) => id)).to.have.members(
        paid.map(({ checkout }) => checkout.offerId),
      );

      for (const { checkout, order } of paid) {
        const offer = accepted.find(({ id }) => id === checkout.offerId)!;
        expect(offer.orderId).to.equal(order.id);
        expect(offer.acceptedAt).to.deep.equal(order.completedAt);
        expect(offer.totals).to.equal(order.totals);
        expect(offer.lineItems).to.equal(order.lineItems);
        expect(offer.metadata).to.equal(order.metadata);
        expect(offer.recipientEmail).to.equal(order.buyer.email);

        const { buyerEmail, buyerEmailLocked, successUrl, createdAt, visitedAt } = checkout;
        expect({ buyerEmail, buyerEmailLocked, successUrl }).to.deep.equal({
          buyerEmail: offer.recipientEmail,
          buyerEmailLocked: true,
          successUrl: `${baseUrl}/offer/${offer.id}`,
        });

        const moments = [
          offer.createdAt,
          offer.sentAt!,
          createdAt,
          visitedAt!,
          order.completedAt,
          offer.expiresAt,
        ].map(Number);
        expect(moments).to.deep.equal([...moments].sort((one, other) => one - other));
      }

      for (const { createdAt, sentAt, cancelledAt, lineItems, totals } of offers) {
        checkTotals(totals, lineItems);
        if (sentAt) expect(sentAt).to.be.above(createdAt);
        if (cancelledAt) expect(cancelledAt).to.be.above(sentAt!);
      }
    });
  });

  it('generates the same window for the same seed, and another one for another seed', () => {
    const text = (seed: number) => comparable(generateTimeWindow(planOf({ seed })));
    expect(text(1)).to.equal(text(1));
    expect(text(2)).not.to.equal(text(1));
  });

  it('continues a history with the orders that one longer run generates', () => {
    const start = generateTimeWindow(planOf({ orders: 100 }));
    const rest = generateTimeWindow(planOf({ orders: 20, next: start.next }));
    const whole = generateTimeWindow(planOf({ orders: 120 }));
    const bought = (timeWindow: TimeWindow) => timeWindow.sales.map(({ order }) => order.lineItems);
    expect([...bought(start), ...bought(rest)]).to.deep.equal(bought(whole));
  });

  it('generates checkouts, payments and offers in every state, several currencies, and no future booking', () => {
    const { sales, offers, expired } = generateTimeWindow(planOf({ orders: maxOrders }));
    expect(new Set(offers.map((offer) => statusOf(offer, now)))).to.deep.equal(
      new Set(['draft', 'sent', 'accepted', 'cancelled', 'expired']),
    );
    expect(offers.length).to.be.within(5, 25);

    const statuses = new Set(sales.map(({ payment }) => payment.status));

    expect([...statuses]).to.have.members([
      'succeeded',
      'partially_refunded',
      'refunded',
      'charged_back',
    ]);

    expect(expired.length).to.be.above(50);
    expect(expired.every(({ expiresAt }) => expiresAt < now)).to.equal(true);

    const currencies = new Set(sales.map(({ order }) => order.totals.currency));
    expect([...currencies]).to.include.members(['EUR', 'USD', 'JPY', 'KWD']);

    const cashFlowDate = sales.map(({ payment }) => payment.cashFlowAt);
    expect(cashFlowDate.every((at) => at === null || at <= now)).to.equal(true);

    const open = openCheckouts(account, 1, 5, now);
    expect(open.every(({ expiresAt, orderId }) => expiresAt > now && orderId === null)).to.equal(
      true,
    );
  });

  const since = new Date(now.getTime() - 10 * 86_400_000);
  const timelineOptions = { account, baseUrl: 'https://api.example', since };

  it('generates events that conform to their schemas, none before the first partition', () => {
    const timeWindow = generateTimeWindow(planOf({ orders: 425, stepMs: 6_000_000 }));
    const events = timelineEvents(timeWindow, timelineOptions);
    for (const { body } of events) checkEvent(body);
    const all = timelineEvents(timeWindow, { ...timelineOptions, since: new Date(0) });
    for (const { body } of all) checkEvent(body);
    expect(new Set(all.map(({ type }) => type))).to.have.lengthOf(12);
    expect(all.length).to.be.above(2 * events.length);
    expect(
      events.every(({ id, occurredAt }) => timestampOf(id) >= since && occurredAt >= since),
    ).to.equal(true);
  });

  it('generates deliveries that retry as scheduled, and none after an endpoint is disabled', () => {
    const day = 86_400_000;
    const until = new Date(now.getTime() - day);
    const works: Subscriber = {
      id: 'whs_works',
      url: 'https://shop.example/',
      medianMs: 100,
      failing: null,
      eventTypes: ['cart.order.completed'],
    };

    const failing = { from: new Date(until.getTime() - 5 * day), until };
    const fails = { ...works, id: 'whs_fails', failing };
    const delaysMs = [5_000, 300_000, 1_800_000, 7_200_000];
    const timeWindow = generateTimeWindow(planOf({ orders: 425, stepMs: 6_000_000 }));
    const events = timelineEvents(timeWindow, timelineOptions);
    const records = generateDeliveries(events, {
      seed: 1,
      delaysMs,
      now,
      subscribers: [works, fails],
    });

    const of = (id: string) => records.filter(({ endpointId }) => endpointId === id);
    const completed = events.filter(({ type }) => type === 'cart.order.completed');
    const delivered = of('whs_works').filter(({ status }) => status === 'success');
    expect(delivered.map(({ eventId }) => eventId)).to.deep.equal(completed.map(({ id }) => id));
    expect(of('whs_works').some(({ attempt }) => attempt > 1)).to.equal(true);
    expect(of('whs_fails').map(({ status }) => status)).to.include.members(['failed', 'abandoned']);

    const later = of('whs_fails').filter(({ createdAt }) => createdAt >= failing.from);
    expect(later.map(({ status }) => status)).not.to.include('success');
    expect(later.every(({ createdAt }) => createdAt <= until)).to.equal(true);

    const earlier = of('whs_fails').filter(({ createdAt }) => createdAt < failing.from);
    expect(earlier.filter(({ status }) => status === 'success')).to.have.lengthOf.above(20);

    const durations = delivered
      .map(({ durationMs }) => durationMs ?? 0)
      .sort((one, two) => one - two);
    expect(durations[Math.floor(durations.length / 2)]).to.be.within(80, 120);
    expect(durations.at(-1)).to.be.above(500);

    const counted = statisticsOf(records);

    for (const status of ['success', 'failed', 'abandoned'] as const) {
      expect(sum(counted.map((row) => row[status])), status).to.equal(
        records.filter((record) => record.status === status).length,
      );
    }

    expect(sum(counted.map(({ retries }) => retries))).to.equal(
      records.filter(({ attempt }) => attempt > 1).length,
    );

    const evidence = evidenceOf(records, [works, fails]).map(({ deliveryId }) => deliveryId);
    expect(evidence).to.include.members(
      records.filter(({ status }) => status !== 'success').map(({ id }) => id),
    );

    const attempts = of('whs_fails').map(
      ({ pendingDeliveryId, attempt }) => `${pendingDeliveryId} ${attempt}`,
    );
    expect(new Set(attempts)).to.have.lengthOf(attempts.length);
  });
});

function checkTotals(totals: Totals, items?: readonly { totalMinorUnits: number }[]): void {
  const { subtotalMinorUnits, discountMinorUnits, shippingMinorUnits, taxMinorUnits } = totals;
  const total = subtotalMinorUnits - discountMinorUnits + shippingMinorUnits + taxMinorUnits;
  expect(totals.totalMinorUnits).to.equal(total);
  const parts = [subtotalMinorUnits, discountMinorUnits, shippingMinorUnits, taxMinorUnits, total];
  for (const amount of parts) expect(Number.isSafeInteger(amount) && amount >= 0).to.equal(true);
  if (!items) return;
  expect(sum(items.map(({ totalMinorUnits }) => totalMinorUnits)) + shippingMinorUnits).to.equal(
    total,
  );
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
