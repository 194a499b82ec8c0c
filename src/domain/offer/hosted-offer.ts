// The hosted page of an offer: what it shows, and the checkout that accepts it. Its URL is the only secret: whoever
// has it is the recipient.
import { createCheckout } from '../checkout/checkouts.js';
import type { LineItem, Totals } from '../commerce/line-items.js';
import { notFound } from '../errors.js';
import { rowById } from '../transaction/rows.js';
import type { Read, Statement, Tx } from '../transaction/tx.js';
import { assertTransition } from './change-offer.js';
import { Offer } from './offer.entity.js';
import { lockOffer, type OfferStatus, offerUrl, statusOf } from './offers.js';

/** An offer as its recipient sees it. */
export interface HostedOffer {
  /** The hosted page never shows a draft. */
  readonly status: Exclude<OfferStatus, 'draft'>;
  /** The name of the account that makes the offer. */
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
     cross join lateral (
       select name from account where id = o.account_id and erased_at is null limit 1) a`,
};

// A checkout with less time left could expire while the buyer fills in the form. So two may be open, of which only
// one can be paid. The sort expression has no index, which keeps the planner from walking backwards through the
// checkouts of all accounts.
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
 * Returns the offer behind a URL, with its status at this moment.
 * @throws DomainError not_found, also for a draft
 */
export async function getHostedOffer(read: Read, id: string): Promise<HostedOffer> {
  const { seller, now } = await readContext(read, id);
  const offer = await read.manager.findOneByOrFail(Offer, { id });
  const { title, message, lineItems, totals, expiresAt } = offer;
  return {
    seller,
    title,
    message,
    lineItems,
    totals,
    expiresAt,
    status: visibleStatus(offer, now),
  };
}

/**
 * Returns the checkout whose payment accepts the offer. It reuses one with at least 10 minutes left, or opens a new
 * one; concurrent calls get the same checkout. Its buyer is the recipient of the offer.
 * @returns the URL of the hosted checkout page
 * @throws DomainError not_found; offer_state_conflict when the offer is no longer open
 */
export async function openOfferCheckout(tx: Tx, id: string): Promise<string> {
  const { account } = await readContext(tx, id);
  const offer = await lockOffer(tx, account, id);
  assertTransition(visibleStatus(offer, tx.now), 'paid');
  const [reusable] = await tx.sql<{ id: string }>(reusableCheckoutStatement, [id]);
  const checkout = reusable ?? (await createCheckout(tx, account, checkoutInput(tx, offer), id));
  return `${tx.rules.baseUrl}/checkout/${checkout.id}`;
}

function readContext(read: Read, id: string): Promise<OfferContext> {
  return rowById<OfferContext>(read, 'off', contextStatement, [id]);
}

function visibleStatus(offer: Offer, now: Date): HostedOffer['status'] {
  // Recipients never see a draft, not even an expired one.
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
    currency,
    shippingMinorUnits,
    metadata: offer.metadata,
    buyerEmail: offer.recipientEmail,
    buyerEmailLocked: true,
    lineItems: offer.lineItems.map(({ product: { id: productId, name }, ...item }) => ({
      ...item,
      productId,
      name,
    })),
  };
}
