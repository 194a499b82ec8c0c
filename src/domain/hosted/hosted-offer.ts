import { createCheckout } from '../checkout/checkouts.js';
import type { LineItem } from '../commerce/line-item.js';
import type { Totals } from '../commerce/totals.entity.js';
import { notFound } from '../errors.js';
import { isId } from '../id.js';
import type { Read, Statement, Tx } from '../tx.js';
import { lockOffer } from '../offer/lock-offer.js';
import { Offer } from '../offer/offer.entity.js';
import { type OfferStatus, assertTransition, statusOf } from '../offer/offer-status.js';
import { offerUrl } from '../offer/offers.js';

/** An offer as its recipient sees it; whoever has its address is the recipient. */
export interface HostedOffer {
  /** A draft is shown to nobody. */
  readonly status: Exclude<OfferStatus, 'draft'>;
  /** The name of the account that makes it. */
  readonly seller: string;
  readonly title: string;
  readonly message: string | null;
  readonly lineItems: readonly LineItem[];
  readonly totals: Totals;
  readonly expiresAt: Date;
}

const contextStatement: Statement = {
  name: 'offer-hosted',
  text: `
    select o.account_id as account, a.name as seller, now() as now
      from (select * from offer where id = $1 limit 1) o
     cross join lateral (select name from account where id = o.account_id limit 1) a`,
};

// One with less time left could expire while its form is filled in; two may be open, one is paid. No index
// has the expression: from the last id on PostgreSQL would walk through everybody's checkouts.
const reusableCheckoutStatement: Statement = {
  name: 'offer-open-checkout',
  text: `
    select id from checkout
     where offer_id = $1 and order_id is null and expires_at >= now() + interval '10 minutes'
     order by id || '' desc limit 1`,
};

interface OfferContext {
  readonly account: string;
  readonly seller: string;
  readonly now: Date;
}

/**
 * The offer behind an address, its status judged at this moment.
 * @throws DomainError not_found; a draft is not found either
 */
export async function getHostedOffer(read: Read, id: string): Promise<HostedOffer> {
  const { seller, now } = await readContext(read, id);
  const offer = await read.manager.findOneByOrFail(Offer, { id });
  const { title, message, lineItems, totals, expiresAt } = offer;
  return {
    ...{ seller, title, message, lineItems, totals, expiresAt },
    status: visibleStatus(offer, now),
  };
}

/**
 * Finds the checkout in which an offer is accepted by paying, if it has 10 minutes left, or opens
 * one: asked for twice at once, it is one. Who pays is the recipient.
 * @returns the address to pay at
 * @throws DomainError not_found; offer_state_conflict when the offer is open no longer
 */
export async function openOfferCheckout(tx: Tx, id: string): Promise<string> {
  const { account } = await readContext(tx, id);
  const offer = await lockOffer(tx, account, id);
  assertTransition(visibleStatus(offer, tx.now), 'paid');
  const [reusable] = await tx.sql<{ id: string }>(reusableCheckoutStatement, [id]);
  const checkout = reusable ?? (await createCheckout(tx, account, checkoutInput(tx, offer), id));
  return `${tx.rules.baseUrl}/checkout/${checkout.id}`;
}

async function readContext(read: Read, id: string): Promise<OfferContext> {
  const [row] = isId('off', id) ? await read.sql<OfferContext>(contextStatement, [id]) : [];
  if (!row) throw notFound('offer');
  return row;
}

function visibleStatus(offer: Offer, now: Date): HostedOffer['status'] {
  // An expired draft was never shown and is not shown then.
  const status = offer.sentAt === null ? 'draft' : statusOf(offer, now);
  if (status === 'draft') throw notFound('offer');
  return status;
}

function checkoutInput(tx: Tx, offer: Offer): Parameters<typeof createCheckout>[2] {
  const { currency, shippingMinorUnits } = offer.totals;
  const url = offerUrl(tx.rules.baseUrl, offer.id);
  return {
    successUrl: url,
    cancelUrl: url,
    ...{ currency, shippingMinorUnits },
    metadata: offer.metadata,
    buyerEmail: offer.recipientEmail,
    buyerEmailLocked: true,
    lineItems: offer.lineItems.map(({ product: { id: productId, name }, ...item }) => ({
      ...item,
      ...{ productId, name },
    })),
  };
}
