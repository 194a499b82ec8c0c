import type { Checkout } from '../../src/domain/checkout/checkout.entity.js';
import { checkoutData } from '../../src/domain/checkout/checkouts.js';
import type { Event } from '../../src/domain/event/event.entity.js';
import { envelopeBytes, type PublishInput } from '../../src/domain/event/prepare-event.js';
import { makeId } from '../../src/domain/values/id.js';
import { Offer } from '../../src/domain/offer/offer.entity.js';
import { offerAcceptedData, offerData } from '../../src/domain/offer/offers.js';
import { type Order, Payment } from '../../src/domain/payment/ledger.entity.js';
import { refundEvents, saleEvents } from '../../src/domain/payment/sale-events.js';
import type { RefundEntry, Sale, TimeWindow } from './time-window.js';

/** A row of `event`. PostgreSQL fills in the rest. */
export type EventRow = Readonly<Omit<Event, 'endpointId' | 'traceparent' | 'xid' | 'writtenAt'>>;

export interface TimelineOptions {
  readonly account: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Earlier events are left out. */
  readonly since: Date;
}

/** An event, and when it was published. */
interface TimelineEntry extends PublishInput {
  readonly at: Date;
}

/** Returns the events of a time window, except those before `since`. */
export function timelineEvents(
  timeWindow: TimeWindow,
  timelineOptions: TimelineOptions,
): EventRow[] {
  const orders = new Map(timeWindow.sales.map(({ order }) => [order.id, order]));
  return eventRows(
    [
      ...timeWindow.sales.flatMap(saleEntries),
      ...timeWindow.offers.flatMap((offer) => offerEntries(offer, orders.get(offer.orderId ?? ''))),
      ...timeWindow.refundEntries.flatMap(refundEntries),
      ...timeWindow.expired.flatMap((checkout) => [openedEntry(checkout), expiredEntry(checkout)]),
    ],
    timelineOptions,
  );
}

/** Returns the events of checkouts that are still open. */
export function openedCheckoutEvents(
  checkouts: readonly Checkout[],
  timelineOptions: TimelineOptions,
): EventRow[] {
  return eventRows(checkouts.map(openedEntry), timelineOptions);
}

function eventRows(
  entries: readonly TimelineEntry[],
  timelineOptions: TimelineOptions,
): EventRow[] {
  const { account, baseUrl, since } = timelineOptions;
  const version = 'v1';
  return entries
    .filter(({ at }) => at.getTime() >= since.getTime())
    .map(({ at, type, subject, data }) => {
      const id = makeId('evt', at);
      const about = { id, baseUrl, type, version, subject, test: false };

      return {
        id,
        type,
        version,
        subject,
        test: false,
        accountId: account,
        body: envelopeBytes({ ...about, time: at.toISOString(), data }),
        occurredAt: at,
        createdAt: at,
      };
    });
}

function saleEntries({ checkout, ...sale }: Sale): TimelineEntry[] {
  const beforeRefunds = { status: 'succeeded', refundedMinorUnits: 0, cashFlowAt: null } as const;
  const payment = Object.assign(new Payment(), sale.payment, beforeRefunds);
  const events = saleEvents(checkout, { ...sale, payment });
  return [openedEntry(checkout), ...entriesAt(sale.order.completedAt, events)];
}

function refundEntries({ refund, creditNote, paymentAfter }: RefundEntry): TimelineEntry[] {
  return entriesAt(refund.createdAt, refundEvents(paymentAfter, refund, creditNote));
}

function offerEntries(offer: Offer, order: Order | undefined): TimelineEntry[] {
  const subject = `offer:${offer.id}`;
  const { createdAt, sentAt, cancelledAt } = offer;
  const later = { acceptedAt: null, cancelledAt: null, orderId: null };
  const sent = Object.assign(new Offer(), offer, later);
  const draft = Object.assign(new Offer(), sent, { sentAt: null, sendCount: 0 });
  const entryAt = (type: string, at: Date | null, as: Offer): TimelineEntry[] =>
    at ? [{ at, subject, type, data: offerData(as, at) }] : [];
  const accepted = { type: 'offer.accepted', subject };

  return [
    ...entryAt('offer.created', createdAt, draft),
    ...entryAt('offer.sent', sentAt, sent),
    ...entryAt('offer.cancelled', cancelledAt, offer),
    ...(order
      ? [{ ...accepted, at: order.completedAt, data: offerAcceptedData(offer, order) }]
      : []),
  ];
}

function openedEntry(checkout: Checkout): TimelineEntry {
  const subject = `checkout:${checkout.id}`;
  const data = checkoutData(checkout);
  return { at: checkout.createdAt, type: 'cart.checkout.created', subject, data };
}

function expiredEntry(checkout: Checkout): TimelineEntry {
  return { ...openedEntry(checkout), at: checkout.expiresAt, type: 'cart.checkout.expired' };
}

function entriesAt(at: Date, events: readonly PublishInput[]): TimelineEntry[] {
  return events.map((event) => ({ at, ...event }));
}
