import type { Checkout } from '../domain/checkout/checkout.entity.js';
import {
  checkoutData,
  creditNoteIssuedData,
  type EventData,
  invoiceIssuedData,
  legacyOrderCompletedData,
  orderCompletedData,
  refundCreatedData,
  saleSucceededData,
} from '../domain/commerce/event-data.js';
import type { Order } from '../domain/commerce/order.entity.js';
import { Payment } from '../domain/commerce/payment.entity.js';
import { envelopeBytes } from '../domain/event/envelope.js';
import { offerAcceptedData, offerData } from '../domain/offer/offer-data.js';
import { Offer } from '../domain/offer/offer.entity.js';
import type { MakeId } from './open-checkouts.js';
import type { Stretch } from './books.js';
import type { Return, Sale } from './entries.js';

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

/** How events are told of. */
export interface Telling {
  readonly account: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** What happened before is told of no more. */
  readonly since: Date;
  readonly makeId: MakeId;
}

interface Happening {
  readonly at: Date;
  readonly type: string;
  readonly subject: string;
  readonly data: () => EventData;
}

/** The events that the service published when the stretch happened, as far as it still has them. */
export function eventsOf(stretch: Stretch, telling: Telling): EventRow[] {
  const orders = new Map(stretch.sales.map(({ order }) => [order.id, order]));
  return eventRows(
    [
      ...stretch.sales.flatMap(ofSale),
      ...stretch.offers.flatMap((offer) => ofOffer(offer, orders.get(offer.orderId ?? ''))),
      ...stretch.returns.flatMap(ofReturn),
      ...stretch.expired.flatMap((checkout) => [opened(checkout), ended(checkout)]),
    ],
    telling,
  );
}

/** The events of checkouts that nothing became of yet. */
export function openingsOf(checkouts: readonly Checkout[], telling: Telling): EventRow[] {
  return eventRows(checkouts.map(opened), telling);
}

function eventRows(happenings: readonly Happening[], telling: Telling): EventRow[] {
  const { account, baseUrl, since, makeId } = telling;
  const version = 'v1';
  return happenings
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

function ofSale({ checkout, order, payment, invoice }: Sale): Happening[] {
  const at = order.completedAt;
  const asItWas = { status: 'succeeded', refundedMinorUnits: 0, cashFlowAt: null } as const;
  const paid = Object.assign(new Payment(), payment, asItWas);
  const subject = `order:${order.id}`;
  return [
    opened(checkout),
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

function ofReturn({ refund, creditNote, left }: Return): Happening[] {
  const at = refund.createdAt;
  return [
    {
      ...{ at, subject: `refund:${refund.id}`, type: 'payment.refund.created' },
      data: () => refundCreatedData(refund, left, creditNote.buyer),
    },
    {
      ...{ at, subject: `invoice:${creditNote.id}`, type: 'invoice.credit_note.issued' },
      data: () => creditNoteIssuedData(creditNote),
    },
  ];
}

function ofOffer(offer: Offer, order: Order | undefined): Happening[] {
  const subject = `offer:${offer.id}`;
  const { createdAt, sentAt, cancelledAt } = offer;
  const later = { acceptedAt: null, cancelledAt: null, orderId: null };
  const sent = Object.assign(new Offer(), offer, later);
  const draft = Object.assign(new Offer(), sent, { sentAt: null, sendCount: 0 });
  const told = (type: string, at: Date | null, as: Offer): Happening[] =>
    at ? [{ ...{ at, subject, type }, data: () => offerData(as, at) }] : [];
  return [
    ...told('offer.created', createdAt, draft),
    ...told('offer.sent', sentAt, sent),
    ...told('offer.cancelled', cancelledAt, offer),
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

function opened(checkout: Checkout): Happening {
  const subject = `checkout:${checkout.id}`;
  const data = () => checkoutData(checkout);
  return { at: checkout.createdAt, type: 'cart.checkout.created', subject, data };
}

function ended(checkout: Checkout): Happening {
  return { ...opened(checkout), at: checkout.expiresAt, type: 'cart.checkout.expired' };
}
