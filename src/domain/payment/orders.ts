import { entryList } from '../commerce/entry-list.js';
import type { Read, Statement } from '../transaction/tx.js';
import { Order } from './ledger.entity.js';
import { searchable } from './payments.js';

/** An order as its account sees it; none exists before its payment succeeds. */
export interface OrderView extends Omit<
  Order,
  'accountId' | 'position' | 'checkoutId' | 'affiliate'
> {
  readonly object: 'order';
  readonly status: 'completed';
  /** The id of the checkout that became this order. */
  readonly checkout: string | null;
  readonly currency: string;
  /** The affiliate who referred the buyer. */
  readonly affiliate: { readonly code: string } | null;
}

/** The completed orders of an account. */
export const orders = searchable(
  entryList(Order, 'ord', 'order', () => orderView),
  {
    ofPayment: 'select position from "order" where id = s.order_id',
    ofDocument: 'select position from "order" where id = s.order_id',
  },
);

/** Shows an order as its account sees it. */
export function orderView(order: Order): OrderView {
  const { id, externalReference, createdAt, completedAt, totals, buyer, lineItems } = order;
  return {
    object: 'order',
    status: 'completed',
    checkout: order.checkoutId,
    currency: totals.currency,
    id,
    externalReference,
    createdAt,
    completedAt,
    totals,
    buyer,
    lineItems,
    metadata: order.metadata,
    affiliate: order.affiliate === null ? null : { code: order.affiliate },
  };
}

/** The payments of an order, and how much of them was refunded. */
interface OrderPayments {
  readonly ids: readonly string[];
  readonly refundedMinorUnits: number;
}

/**
 * Reads the rows of one order after the other. With a single `group by` the planner would read the whole
 * table, because it does not know how many orders the array has.
 */
const perOrder = (columns: string, table: 'payment' | 'invoice') => `
    select o.id as "orderId", entries.*
      from unnest($1::text[]) o (id)
      cross join lateral (select array_agg(id order by position) as ids${columns}
                            from ${table} where order_id = o.id) entries
     where entries.ids is not null`;

const paymentsStatement: Statement = {
  name: 'order-payments',
  text: perOrder(', sum(refunded_minor_units)::bigint as "refundedMinorUnits"', 'payment'),
};

/** Returns the payments of these orders by order id; an order without a payment is absent. */
export async function paymentsOfOrders(
  read: Read,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, OrderPayments>> {
  const rows = await read.sql<OrderPayments & { orderId: string }>(paymentsStatement, [orderIds]);
  return new Map(rows.map(({ orderId, ...payments }) => [orderId, payments]));
}

const invoicesStatement: Statement = { name: 'order-invoices', text: perOrder('', 'invoice') };

/** Returns the ids of the invoices and credit notes of these orders by order id, oldest first. */
export async function invoicesOfOrders(
  read: Read,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await read.sql<{ orderId: string; ids: string[] }>(invoicesStatement, [orderIds]);
  return new Map(rows.map(({ orderId, ids }) => [orderId, ids]));
}
