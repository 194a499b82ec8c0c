import type { Checkout } from '../../src/domain/checkout/checkout.entity.js';
import {
  checkoutData,
  creditNoteIssuedData,
  type EventData,
  invoiceIssuedData,
  legacyOrderCompletedData,
  orderCompletedData,
  refundCreatedData,
  saleSucceededData,
} from '../../src/domain/checkout/event-data.js';
import type { Order } from '../../src/domain/commerce/order.entity.js';
import { Payment } from '../../src/domain/commerce/payment.entity.js';
import { envelopeBytes } from '../../src/domain/event/envelope.js';
import { offerAcceptedData, offerData } from '../../src/domain/offer/offer-data.js';
import { Offer } from '../../src/domain/offer/offer.entity.js';
import type { MakeId } from './open-checkouts.js';
import type { TimeWindow } from './ledger-builder.js';
import type { RefundEntry, Sale } from './ledger-entries.js';

/** A row of `event`. */
export interface EventRow {
  readonly id: string;
  readonly accountId: string;
  readonly type: string;
  readonly version: string;
  readonly subject: string;
  readonly test: boolean;
  readonly body: Buffer;
  readonly occurredAt: Date;
  readonly createdAt: Date;
}

export interface TimelineOptions {
  readonly account: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Earlier events are left out. */
  readonly since: Date;
  readonly makeId: MakeId;
}

interface TimelineEntry {
  readonly at: Date;
  readonly type: string;
  readonly subject: string;
  readonly data: () => EventData;
}

/** The events of a time window, except those before `since`. */
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

/** The events of checkouts that are still open. */
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
  const { account, baseUrl, since, makeId } = timelineOptions;
  const version = 'v1';
  return entries
    .filter(({ at }) => at.getTime() >= since.getTime())
    .map(({ at, type, subject, data }) => {
      const id = makeId('evt', at);
      const about = { id, baseUrl, type, version, subject, test: false };
      return {
        ...{ id, type, version, subject, test: false },
        accountId: account,
        body: envelopeBytes({ ...about, occurredAt: at, data: data() }),
        occurredAt: at,
        createdAt: at,
      };
    });
}

function saleEntries({ checkout, order, payment, invoice }: Sale): TimelineEntry[] {
  const at = order.completedAt;
  const beforeRefunds = { status: 'succeeded', refundedMinorUnits: 0, cashFlowAt: null } as const;
  const paid = Object.assign(new Payment(), payment, beforeRefunds);
  const subject = `order:${order.id}`;
  return [
    openedEntry(checkout),
    {
      ...{ at, subject, type: 'cart.order.completed' },
      data: () => orderCompletedData(checkout, order, paid),
    },
    {
      ...{ at, subject, type: 'order.completed' },
      data: () => legacyOrderCompletedData(checkout, order, paid),
    },
    {
      ...{ at, subject: `payment:${payment.id}`, type: 'payment.sale.succeeded' },
      data: () => saleSucceededData(checkout, order, paid),
    },
    {
      ...{ at, subject: `invoice:${invoice.id}`, type: 'invoice.issued' },
      data: () => invoiceIssuedData(invoice),
    },
  ];
}

function refundEntries({ refund, creditNote, paymentAfter }: RefundEntry): TimelineEntry[] {
  const at = refund.createdAt;
  return [
    {
      ...{ at, subject: `refund:${refund.id}`, type: 'payment.refund.created' },
      data: () => refundCreatedData(refund, paymentAfter, creditNote.buyer),
    },
    {
      ...{ at, subject: `invoice:${creditNote.id}`, type: 'invoice.credit_note.issued' },
      data: () => creditNoteIssuedData(creditNote),
    },
  ];
}

function offerEntries(offer: Offer, order: Order | undefined): TimelineEntry[] {
  const subject = `offer:${offer.id}`;
  const { createdAt, sentAt, cancelledAt } = offer;
  const later = { acceptedAt: null, cancelledAt: null, orderId: null };
  const sent = Object.assign(new Offer(), offer, later);
  const draft = Object.assign(new Offer(), sent, { sentAt: null, sendCount: 0 });
  const entryAt = (type: string, at: Date | null, as: Offer): TimelineEntry[] =>
    at ? [{ ...{ at, subject, type }, data: () => offerData(as, at) }] : [];
  return [
    ...entryAt('offer.created', createdAt, draft),
    ...entryAt('offer.sent', sentAt, sent),
    ...entryAt('offer.cancelled', cancelledAt, offer),
    ...(order
      ? [
          {
            ...{ at: order.completedAt, subject, type: 'offer.accepted' },
            data: () => offerAcceptedData(offer, order),
          },
        ]
      : []),
  ];
}

function openedEntry(checkout: Checkout): TimelineEntry {
  const subject = `checkout:${checkout.id}`;
  const data = () => checkoutData(checkout);
  return { at: checkout.createdAt, type: 'cart.checkout.created', subject, data };
}

function expiredEntry(checkout: Checkout): TimelineEntry {
  return { ...openedEntry(checkout), at: checkout.expiresAt, type: 'cart.checkout.expired' };
}
