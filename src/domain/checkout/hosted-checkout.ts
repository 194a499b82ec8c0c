import type { LineItem } from '../commerce/line-item.js';
import type { Totals } from '../commerce/totals.entity.js';
import { notFound } from '../errors.js';
import { isId } from '../id.js';
import type { Read, Statement, Tx } from '../tx.js';
import type { Checkout } from './checkout.entity.js';
import { isAffiliate } from './checkout-input.js';
import { checkoutColumns, type CheckoutStatus, holdCheckout, statusOf } from './checkouts.js';
import { recordPayment } from './record-payment.js';
import { thankYouUrl } from './thank-you-url.js';

/** A checkout as its buyer sees it; whoever has its address is the buyer. */
export interface HostedCheckout {
  /** Closed: it is open, but its offer was cancelled, or accepted in another checkout. */
  readonly status: CheckoutStatus | 'closed';
  /** The name of the account that sells. */
  readonly seller: string;
  readonly lineItems: readonly LineItem[];
  readonly totals: Totals;
  readonly buyerEmail: string | null;
  /** Whether the buyer may not change {@link buyerEmail}. */
  readonly buyerEmailLocked: boolean;
  /** Empty when there is none. */
  readonly cancelUrl: string;
  /** Where the buyer goes after paying. */
  readonly successUrl: string;
  /** The only origin whose pages may frame it; null for none. */
  readonly embedOrigin: string | null;
  readonly expiresAt: Date;
  /** Null until it is completed. */
  readonly thankYouUrl: string | null;
}

/** What the buyer tells of themselves. */
export interface HostedBuyer {
  /** Null: the checkout's. */
  readonly email: string | null;
  readonly name: string | null;
}

/** How hosted checkouts are paid: a payment that always succeeds and moves no money. */
export const sandboxMethod = 'sandbox';

const find: Statement = {
  name: 'checkout-hosted',
  text: `select ${checkoutColumns},
           (select a.name from account a where a.id = account_id) as seller,
           exists (select from offer o where o.id = offer_id
                      and (o.cancelled_at is not null or o.accepted_at is not null)) as closed
           from checkout where id = $1`,
};

// Judged again when another visit or a payment held the row: the first one counts.
const noteVisit: Statement = {
  name: 'checkout-visit',
  text: `update checkout set visited_at = now(), affiliate = coalesce(affiliate, $2)
          where id = $1 and visited_at is null and order_id is null and expires_at > now()`,
};

interface Row extends Checkout {
  readonly now: Date;
  readonly seller: string;
  readonly closed: boolean;
}

/**
 * The checkout behind an address, its status judged at this moment.
 * @throws DomainError not_found
 */
export async function getHostedCheckout(read: Read, id: string): Promise<HostedCheckout> {
  return hosted(await rowOf(read, id));
}

/**
 * The same for a buyer who opens it. The first visit of an open checkout is noted, and with it the
 * affiliate whose link led here, unless the merchant named one; later visits change nothing.
 * @param affiliate what the address carries; anything that is no affiliate's code is ignored
 * @throws DomainError not_found
 */
export async function visitCheckout(
  read: Read,
  id: string,
  affiliate: string | null,
): Promise<HostedCheckout> {
  const row = await rowOf(read, id);
  const checkout = hosted(row);
  if (row.visitedAt === null && checkout.status === 'open') {
    const code = affiliate !== null && isAffiliate(affiliate) ? affiliate : null;
    await read.sql(noteVisit, [id, code]);
  }
  return checkout;
}

/**
 * Pays a checkout with {@link sandboxMethod}. Paid again, by whomever, it stays one payment and the
 * answer is the same.
 * @returns where the buyer goes next
 * @throws DomainError not_found; validation_failed; checkout_not_payable when it has expired
 */
export async function payHostedCheckout(tx: Tx, id: string, buyer: HostedBuyer): Promise<string> {
  const checkout = await holdCheckout(tx, null, id);
  const earlier = thanksOf(checkout);
  if (earlier !== null) return earlier;
  const { email: buyerEmail, name: buyerName } = buyer;
  const payment = { checkout: id, method: sandboxMethod, buyerEmail, buyerName };
  return (await recordPayment(tx, null, payment)).thankYouUrl;
}

async function rowOf(read: Read, id: string): Promise<Row> {
  const [row] = isId('chk', id) ? await read.sql<Row>(find, [id]) : [];
  if (!row) throw notFound('checkout');
  return row;
}

function hosted(row: Row): HostedCheckout {
  const { seller, lineItems, totals, buyerEmail, cancelUrl, successUrl, embedOrigin, expiresAt } =
    row;
  const status = statusOf(row, row.now);
  return {
    ...{ seller, lineItems, totals, buyerEmail, cancelUrl, successUrl, embedOrigin, expiresAt },
    status: status === 'open' && row.closed ? 'closed' : status,
    buyerEmailLocked: row.buyerEmailLocked && buyerEmail !== null,
    thankYouUrl: thanksOf(row),
  };
}

function thanksOf({ orderId, successUrl, metadata, affiliate }: Checkout): string | null {
  if (orderId === null) return null;
  return thankYouUrl(successUrl, { order: orderId, metadata, affiliate });
}
