// The hosted page of a checkout: what it shows, and the first visit. Its URL is the only secret, so there is no
// account here: whoever has it is the buyer. Paying it is `payHostedCheckout` of payment/record-payment.ts.
import type { LineItem, Totals } from '../commerce/line-items.js';
import { rowById } from '../transaction/rows.js';
import type { Read, Statement } from '../transaction/tx.js';
import type { Checkout } from './checkout.entity.js';
import { isAffiliate } from './checkout-input.js';
import {
  checkoutColumns,
  checkoutJoinOffer,
  type CheckoutState,
  type CheckoutStatus,
  payableUntil,
  sellerIsOpen,
  statusOf,
} from './checkouts.js';
import { returnUrl } from './thank-you-url.js';

/** A checkout as its buyer sees it. */
export interface HostedCheckout {
  /** `closed`: it has not expired, but its offer was cancelled, or accepted in another checkout. */
  readonly status: CheckoutStatus | 'closed';
  /** The name of the account that sells. */
  readonly seller: string;
  readonly lineItems: readonly LineItem[];
  readonly totals: Totals;
  readonly buyerEmail: string | null;
  /** Whether the buyer may not change {@link buyerEmail}. */
  readonly buyerEmailLocked: boolean;
  /** Empty if the account gave none. */
  readonly cancelUrl: string;
  /** Where the buyer goes after paying, without the thank-you parameters. */
  readonly successUrl: string;
  /** The only origin whose pages may frame it; null for none. */
  readonly embedOrigin: string | null;
  /** A payment must begin before this instant: the expiry of the checkout, or of its offer if earlier. */
  readonly expiresAt: Date;
  /** Null until it is completed. */
  readonly thankYouUrl: string | null;
}

const findStatement: Statement = {
  name: 'checkout-hosted',
  text: `select ${checkoutColumns}, "offerClosed", "offerExpiresAt",
           (select a.name from account a where a.id = account_id) as seller
           from ${checkoutJoinOffer} where id between $1 and $1 and ${sellerIsOpen}
          order by id limit 1`,
};

// PostgreSQL checks the conditions again after waiting for another visit or a payment, so only the first visit
// counts. The account is compared because the planner may otherwise search an index of (account, id) by id alone.
const markVisited: Statement = {
  name: 'checkout-visit',
  text: `update checkout set visited_at = now(), affiliate = coalesce(affiliate, $2)
          where id = $1 and account_id = $3
            and visited_at is null and order_id is null and expires_at > now()`,
};

type Row = Checkout & CheckoutState & { readonly now: Date; readonly seller: string };

/**
 * Returns the checkout behind a URL, with its status at this moment.
 * @throws DomainError not_found
 */
export async function getHostedCheckout(read: Read, id: string): Promise<HostedCheckout> {
  return toHostedCheckout(await findRow(read, id));
}

/** How a buyer opens a checkout. */
interface CheckoutVisit {
  /** The parameter of the URL; ignored if it cannot be the code of an affiliate. */
  readonly affiliate: string | null;
  /** Whether a page of the account shows it in a frame. */
  readonly framed: boolean;
}

/**
 * Returns the checkout to a buyer who opens it, and records the first visit while it is open. The visit also stores
 * the affiliate whose link the buyer followed, unless the account has named one. Later visits change nothing. A visit
 * in a frame counts only if its URL names an affiliate.
 * @throws DomainError not_found
 */
export async function visitCheckout(
  read: Read,
  id: string,
  { affiliate, framed }: CheckoutVisit,
): Promise<HostedCheckout> {
  const row = await findRow(read, id);
  const checkout = toHostedCheckout(row);
  const code = affiliate !== null && isAffiliate(affiliate) ? affiliate : null;
  const isVisit = code !== null || !framed;
  if (isVisit && row.visitedAt === null && checkout.status === 'open') {
    await read.sql(markVisited, [id, code, row.accountId]);
  }
  return checkout;
}

function findRow(read: Read, id: string): Promise<Row> {
  return rowById<Row>(read, 'chk', findStatement, [id]);
}

function toHostedCheckout(row: Row): HostedCheckout {
  const { seller, lineItems, totals, buyerEmail, cancelUrl, successUrl, embedOrigin } = row;
  return {
    seller,
    lineItems,
    totals,
    buyerEmail,
    cancelUrl,
    successUrl,
    embedOrigin,
    status: statusOf(row, row.now),
    expiresAt: payableUntil(row),
    buyerEmailLocked: row.buyerEmailLocked && buyerEmail !== null,
    thankYouUrl: row.orderId === null ? null : returnUrl(row, row.orderId),
  };
}
