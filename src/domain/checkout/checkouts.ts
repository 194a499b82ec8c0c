import { recordChange } from '../audit/record-change.js';
import { checkoutData } from './event-data.js';
import { assertEventFits } from './event-size.js';
import type { Totals } from '../commerce/totals.entity.js';
import { entityOf } from '../entity-of.js';
import { notFound, validationFailed } from '../errors.js';
import { publishEvent } from '../event/publish.js';
import { isId, makeId } from '../id.js';
import { rowById } from '../rows.js';
import type { Read, Statement, Tx } from '../tx.js';
import { Checkout } from './checkout.entity.js';
import { checkoutIssues, type CheckoutInput } from './checkout-input.js';
import {
  type CheckoutStatus,
  checkoutJoinOffer,
  type CheckoutState,
  statusOf,
} from './checkout-status.js';
import { priceLineItems } from './price-line-items.js';

/** A checkout as its account sees it. */
export interface CheckoutView {
  readonly object: 'checkout';
  readonly id: string;
  readonly status: CheckoutStatus;
  /** Null until the buyer's payment succeeds. */
  readonly order: { readonly id: string; readonly object: 'order' } | null;
  readonly buyerEmailLocked: boolean;
  readonly cancelUrl: string;
  readonly successUrl: string;
  /** The hosted checkout page; null unless the checkout is open. */
  readonly checkoutUrl: string | null;
  /** The same page for a frame; null unless the checkout is open. */
  readonly embedUrl: string | null;
  readonly embedOrigin: string | null;
  readonly externalReference: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly totals: Totals;
}

const lifetimeMs = 30 * 60 * 1_000;

/** Selects every column of a checkout under the entity's names, and the statement's `now`. */
export const checkoutColumns = `id, account_id as "accountId", success_url as "successUrl",
  cancel_url as "cancelUrl", embed_origin as "embedOrigin",
  external_reference as "externalReference", buyer_email as "buyerEmail",
  buyer_email_locked as "buyerEmailLocked", metadata, affiliate, line_items as "lineItems",
  offer_id as "offerId", order_id as "orderId", created_at as "createdAt", expires_at as "expiresAt",
  visited_at as "visitedAt", expired_at as "expiredAt", now() as now,
  json_build_object('currency', currency, 'subtotalMinorUnits', subtotal_minor_units,
    'discountMinorUnits', discount_minor_units, 'shippingMinorUnits', shipping_minor_units,
    'taxMinorUnits', tax_minor_units, 'totalMinorUnits', total_minor_units) as totals`;

const findStatement: Statement = {
  name: 'checkout-find',
  text: `select ${checkoutColumns}, "offerClosed", "offerExpiresAt"
           from ${checkoutJoinOffer} where id = $1 and account_id = $2`,
};

// A sorted range makes the planner use the primary key. While PostgreSQL 15 believes the table empty, an
// index of (account, id) seems as good to it.
const lockStatement: Statement = {
  name: 'checkout-lock',
  text: `select ${checkoutColumns} from checkout
          where id between $1 and $1 and account_id = coalesce($2, account_id)
          order by id limit 1 for no key update`,
};

/** What {@link checkoutColumns} and the columns of {@link checkoutJoinOffer} select. */
export type CheckoutRow = Checkout & CheckoutState & { readonly now: Date };

/**
 * Opens a checkout for 30 minutes and publishes `cart.checkout.created`.
 * @param offer the id of the offer that its payment accepts
 * @throws DomainError validation_failed with every problem
 */
export async function createCheckout(
  tx: Tx,
  account: string,
  input: CheckoutInput,
  offer: string | null = null,
): Promise<CheckoutView> {
  const issues = checkoutIssues(input, offer === null ? tx.now : 'offered before');
  if (issues.length > 0) throw validationFailed(issues);
  const { lineItems, totals } = priceLineItems(tx, input);
  const checkout = entityOf(Checkout, {
    id: makeId('chk', tx.now),
    accountId: account,
    successUrl: input.successUrl,
    cancelUrl: input.cancelUrl ?? '',
    embedOrigin: input.embedOrigin ?? null,
    externalReference: input.externalReference ?? '',
    buyerEmail: input.buyerEmail ?? null,
    buyerEmailLocked: input.buyerEmailLocked ?? false,
    metadata: input.metadata ?? {},
    affiliate: input.affiliate ?? null,
    lineItems,
    offerId: offer,
    orderId: null,
    createdAt: tx.now,
    expiresAt: new Date(tx.now.getTime() + lifetimeMs),
    visitedAt: null,
    expiredAt: null,
    totals,
  });
  const data = checkoutData(checkout);
  assertEventFits(data);
  await tx.manager.insert<object>(Checkout, checkout);
  recordChange(tx, { action: 'checkout_created', account, resource: checkout.id });
  await publishEvent(tx, account, {
    type: 'cart.checkout.created',
    subject: `checkout:${checkout.id}`,
    data,
  });
  tx.wake({ kind: 'expire', at: checkout.expiresAt });
  return toCheckoutView(checkout, 'open', tx.rules.baseUrl);
}

/**
 * Returns the account's checkout with this id, and its status at this moment.
 * @throws DomainError not_found
 */
export async function getCheckout(read: Read, account: string, id: string): Promise<CheckoutView> {
  const row = await rowById<CheckoutRow>(read, 'chk', findStatement, [id, account]);
  return checkoutView(row, read.rules.baseUrl);
}

/** Shows a checkout as its account sees it at the time of the statement. */
export function checkoutView(row: CheckoutRow, baseUrl: string): CheckoutView {
  const status = statusOf(row, row.now);
  // The public interface has no fourth status; as expired it shows no URL that leads nowhere.
  return toCheckoutView(row, status === 'closed' ? 'expired' : status, baseUrl);
}

/**
 * Reads and locks a checkout; no other transaction changes it until `tx` ends.
 * @param account the account that must own the checkout; null for any
 * @throws DomainError not_found
 */
export async function lockCheckout(tx: Tx, account: string | null, id: string): Promise<Checkout> {
  const validIds = isId('chk', id) && (account === null || isId('acc', account));
  const [row] = validIds ? await tx.sql<Checkout>(lockStatement, [id, account]) : [];
  if (!row) throw notFound('checkout');
  return row;
}

function toCheckoutView(checkout: Checkout, status: CheckoutStatus, baseUrl: string): CheckoutView {
  const { id, orderId, metadata, totals, createdAt, expiresAt } = checkout;
  const open = status === 'open';
  return {
    object: 'checkout',
    id,
    status,
    order: orderId === null ? null : { id: orderId, object: 'order' },
    buyerEmailLocked: checkout.buyerEmailLocked,
    cancelUrl: checkout.cancelUrl,
    successUrl: checkout.successUrl,
    checkoutUrl: open ? `${baseUrl}/checkout/${id}` : null,
    embedUrl: open ? `${baseUrl}/checkout/${id}/embed` : null,
    embedOrigin: checkout.embedOrigin,
    externalReference: checkout.externalReference,
    metadata,
    createdAt,
    expiresAt,
    totals,
  };
}
