// Checkouts: opening, reading, listing and expiring them. A payment completes them (payment/record-payment.ts).
//
// - The status is never stored. Each read derives it from the row, its offer and PostgreSQL's time, so a
//   checkout expires at its instant even if no worker runs.
// - What changes a checkout locks its row first (lockCheckout), so it is paid once.
// - A worker marks expired checkouts and publishes `cart.checkout.expired` in the same transaction, so a
//   crash neither loses nor repeats the event.
import { recordChange } from '../audit/audit-log.js';
import {
  assertEventFits,
  type EventData,
  lineItemData,
  totalsData,
} from '../commerce/event-data.js';
import type { Totals } from '../commerce/line-items.js';
import { priceLineItems } from '../commerce/sale-input.js';
import { DomainError, notFound, validationFailed } from '../errors.js';
import { publishEvent } from '../event/publish.js';
import { type Page, pageOf, type PageRequest, pageStart } from '../list/cursor-page.js';
import { rowById, singleRow } from '../transaction/rows.js';
import type { Read, Statement, Tx } from '../transaction/tx.js';
import { entityOf } from '../transaction/typeorm.js';
import { isId, makeId } from '../values/id.js';
import { type CheckoutInput, checkoutIssues } from './checkout-input.js';
import { Checkout } from './checkout.entity.js';

/** The status of a checkout. It is not stored: each read derives it from the row and the time. */
export type CheckoutStatus = (typeof checkoutStatuses)[number];
export const checkoutStatuses = ['open', 'completed', 'expired'] as const;

/** What decides the status of a checkout; both fields of the offer are null when it has none. */
export interface CheckoutState extends Pick<Checkout, 'orderId' | 'expiresAt'> {
  /** Whether the offer was cancelled or accepted. */
  readonly offerClosed: boolean | null;
  readonly offerExpiresAt: Date | null;
}

/** Joins the offer's fields of {@link CheckoutState} to the rows of `checkout`. */
export const checkoutJoinOffer = `checkout left join lateral (
    select o.cancelled_at is not null or o.accepted_at is not null as "offerClosed",
           o.expires_at as "offerExpiresAt"
      from offer o where o.id = checkout.offer_id limit 1) offer on true`;

/** Returns the instant before which a payment must begin: the expiry of the checkout, or of its offer. */
export function payableUntil({
  expiresAt,
  offerExpiresAt,
}: Pick<CheckoutState, 'expiresAt' | 'offerExpiresAt'>): Date {
  return offerExpiresAt !== null && offerExpiresAt < expiresAt ? offerExpiresAt : expiresAt;
}

/**
 * Returns the status of a checkout at `now`. A checkout with an order is completed, even after its expiry.
 * It is `closed` when it has not expired, but its offer was cancelled, or accepted in another checkout.
 */
export function statusOf(checkout: CheckoutState, now: Date): CheckoutStatus | 'closed' {
  if (checkout.orderId !== null) return 'completed';
  if (now.getTime() >= payableUntil(checkout).getTime()) return 'expired';
  return checkout.offerClosed ? 'closed' : 'open';
}

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

/** In SQL: the account of a checkout is not erased. The rows of an erased one are deleted in steps. */
export const sellerIsOpen = `exists (
    select from account a where a.id = account_id and a.erased_at is null)`;

// A sorted range makes the planner use the primary key. While PostgreSQL 15 believes the table empty, an
// index of (account, id) seems as good to it.
const lockStatement: Statement = {
  name: 'checkout-lock',
  text: `select ${checkoutColumns} from checkout
          where id between $1 and $1 and account_id = coalesce($2, account_id) and ${sellerIsOpen}
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
function checkoutView(row: CheckoutRow, baseUrl: string): CheckoutView {
  const status = statusOf(row, row.now);
  // The public interface has no fourth status. An expired checkout shows no URL that would lead nowhere.
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

const listStatement: Statement = {
  name: 'checkout_list',
  text: `
    select ${checkoutColumns}, "offerClosed", "offerExpiresAt" from ${checkoutJoinOffer}
     where account_id = $1 and id < $2 order by id desc limit $3`,
};

const greaterThanAnyId = 'chk~';

/**
 * Lists the checkouts of an account, newest first, each with its status at this moment.
 * @throws DomainError validation_failed for an invalid page
 */
export async function listCheckouts(
  read: Read,
  account: string,
  request: PageRequest,
): Promise<Page<CheckoutView>> {
  const scope = { list: 'checkouts', account, filter: undefined };
  const before = pageStart(read, scope, request) ?? greaterThanAnyId;
  const values = [account, before, request.limit + 1];
  const rows = await read.sql<CheckoutRow>(listStatement, values);
  const views = rows.map((row) => checkoutView(row, read.rules.baseUrl));
  return pageOf(read, scope, request.limit, views);
}

/** One call expires at most this many checkouts. */
export const expiryBatchSize = 100;

// Skips locked rows and those changed after this statement began: a buyer pays or visits the checkout, or
// another worker expires it. The next call finds what remains.
const markExpiredStatement: Statement = {
  name: 'checkout-expire',
  text: `
    with due as (
      select d.ctid as place from checkout d
       where d.order_id is null and d.expired_at is null and d.expires_at <= now()
       order by d.expires_at limit $1 for no key update skip locked
    )
    update checkout set expired_at = now() where ctid = any (array(select place from due))
    returning ${checkoutColumns}`,
};

/** In SQL: a checkout has reached its expiry without an order. */
export const expirableCheckouts = `exists (
           select from checkout d
            where d.order_id is null and d.expired_at is null and d.expires_at <= now())`;

const expirableStatement: Statement = {
  name: 'checkout-any-expirable',
  text: `select ${expirableCheckouts} as "any"`,
};

/** Says in one round trip whether {@link expireCheckouts} may find a checkout. */
export async function hasExpirableCheckouts(read: Read): Promise<boolean> {
  return (await singleRow<{ any: boolean }>(read, expirableStatement)).any;
}

/**
 * Marks checkouts that reached their expiry without an order, the oldest first. For each it publishes
 * `cart.checkout.expired` in the same transaction: exactly once, even when several workers do so.
 * @returns how many it marked; 0 means that only locked ones can remain
 */
export async function expireCheckouts(tx: Tx): Promise<number> {
  const expired = await tx.sql<Checkout>(markExpiredStatement, [expiryBatchSize]);
  const sorted = expired.sort((one, other) => Number(one.expiresAt) - Number(other.expiresAt));

  for (const checkout of sorted) {
    await publishEvent(tx, checkout.accountId, {
      type: 'cart.checkout.expired',
      subject: `checkout:${checkout.id}`,
      data: checkoutData(checkout),
    }).catch(ignoreErased);
  }
  return expired.length;
}

/** An account that is being erased takes no event; those of the other accounts are published. */
function ignoreErased(error: unknown): void {
  if (!(error instanceof DomainError && error.code === 'not_found')) throw error;
}

/**
 * Builds the `data` of `cart.checkout.created` v1 and of `cart.checkout.expired` v1. Both are alike, so a
 * checkout whose first event fits the size limit can also publish the second.
 */
export function checkoutData(checkout: Checkout): EventData {
  return {
    checkout: {
      ...checkoutReference(checkout),
      created_at: checkout.createdAt.toISOString(),
      expires_at: checkout.expiresAt.toISOString(),
    },
    metadata: checkout.metadata,
    currency: checkout.totals.currency,
    totals: totalsData(checkout.totals),
    line_items: checkout.lineItems.map(lineItemData),
  };
}

/** Names a checkout in the data of events. */
export function checkoutReference({ id, externalReference }: Checkout): EventData {
  return { id, object: 'checkout', external_reference: externalReference };
}
