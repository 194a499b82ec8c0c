import { emailIssues, mailboxIn, mailboxOf } from '../email.js';
import { type Issue, validationFailed } from '../errors.js';
import type { Read } from '../tx.js';
import {
  entryList,
  type FilterSql,
  filterSql,
  positionsWithin,
  readEntries,
  readMatching,
  readRange,
  sqlBounds,
} from './entry-list.js';
import { type DateRange, parseRange, unlessEmpty } from './date-range.js';
import { type NumberedPage, type NumberedRequest, clampPageSize } from './numbered-page.js';
import { Payment } from './payment.entity.js';

/** A payment as its account sees it. */
export interface PaymentView extends Omit<
  Payment,
  'accountId' | 'position' | 'orderId' | 'mailbox' | 'key' | 'fingerprint'
> {
  readonly object: 'payment';
  /** The id of its order. */
  readonly order: string;
}

/** Filters a list of what was sold; all given conditions must hold. */
export interface SaleFilter {
  /** A date or a date-time of RFC 3339, like the other ends. A range includes its ends. */
  readonly createdFrom?: string | null | undefined;
  readonly createdTo?: string | null | undefined;
  /** The whole address, in any spelling that `mailboxOf` takes for the same. */
  readonly buyerEmail?: string | null | undefined;
}

/** Filters a list of payments. */
export interface PaymentFilter extends SaleFilter {
  readonly cashFlowFrom?: string | null | undefined;
  readonly cashFlowTo?: string | null | undefined;
}

/** The payments of an account. */
export const payments = entryList(Payment, 'pay', 'payment', () => paymentView, 100);

const buyerKey = mailboxIn('buyer_email');

/** In SQL: whether a payment is of the buyer whose address the parameter `value` holds. */
export function isOfBuyer(value: string): string {
  return `${buyerKey} between ${value}::text and ${value}::text`;
}

/** In SQL: the payments of account `$1` and of the buyer whose address the parameter `value` holds. */
export function paymentsOfBuyer(columns: string, value: string): string {
  return `select ${columns} from payment
           where account_id = $1 and ${isOfBuyer(value)}
           order by ${buyerKey}, position`;
}

const byBuyer = paymentSql('buyer', buyerKey, isOfBuyer('$4'), 4);
const byCashFlow = paymentSql('cash-flow', 'cash_flow_at', 'cash_flow_at between $4 and $5', 5);
const byBoth = paymentSql(
  'both',
  buyerKey,
  `${isOfBuyer('$4')} and cash_flow_at between $5 and $6`,
  6,
);

/**
 * Reads in the order of an index that begins with the account, the key and the position. The planner can use
 * no other index because of this order, and because the condition is a range, even of one value. With an
 * equality and no order, all indexes that begin with the account look alike while the table is empty.
 * Both statements read only the matching entries of that index, and no other rows.
 */
function paymentSql(name: string, key: string, condition: string, values: number): FilterSql {
  const matching = `select position from payment
                     where account_id = $1 and position between $2 and $3 and ${condition}
                     order by ${key}, position`;
  return filterSql('payment', name, matching, values);
}

/**
 * Returns a page of the account's payments that match the filter, newest first.
 * @throws DomainError validation_failed
 */
export async function listPayments(
  read: Read,
  account: string,
  requested: NumberedRequest,
  filter: PaymentFilter,
): Promise<NumberedPage<PaymentView>> {
  const { data, pagination } = await listFiltered(read, account, requested, filter);
  return { data: data.map(paymentView), pagination };
}

/** Shows a payment as its account sees it. */
export function paymentView(payment: Payment): PaymentView {
  const { id, status, currency, amountMinorUnits, refundedMinorUnits, feeMinorUnits } = payment;
  const { netMinorUnits, method, buyerEmail, createdAt, cashFlowAt } = payment;
  return {
    object: 'payment',
    order: payment.orderId,
    id,
    status,
    currency,
    amountMinorUnits,
    refundedMinorUnits,
    feeMinorUnits,
    netMinorUnits,
    method,
    buyerEmail,
    createdAt,
    cashFlowAt,
  };
}

async function listFiltered(
  read: Read,
  account: string,
  requested: NumberedRequest,
  filter: PaymentFilter,
): Promise<NumberedPage<Payment>> {
  const { created, cashFlow, buyer } = parsePaymentFilter(filter);
  const request = clampPageSize(requested, payments.maxPageSize);
  if (!created && !cashFlow && buyer === null) {
    return readEntries(read, account, payments, request);
  }

  const range = await positionsWithin(read, account, payments, created);
  if (!cashFlow && buyer === null) return readRange(read, account, payments, range, request);

  const sql = buyer === null ? byCashFlow : cashFlow ? byBoth : byBuyer;
  const values = [
    account,
    range.first,
    range.last,
    ...(buyer === null ? [] : [buyer]),
    ...(cashFlow ? sqlBounds(cashFlow) : []),
  ];
  return readMatching(read, payments, sql, values, request);
}

/** What the filters of all lists have in common. */
export interface ParsedSaleFilter {
  readonly created: DateRange | undefined;
  /** The address as {@link isOfBuyer} compares it; null for all buyers. */
  readonly buyer: string | null;
}

/** Reads a filter and adds its problems to `issues`. */
export function parseSaleFilter(filter: SaleFilter, issues: Issue[]): ParsedSaleFilter {
  const { createdFrom, createdTo, buyerEmail = null } = filter;
  const created = parseRange({ name: 'created', from: createdFrom, to: createdTo }, issues);
  if (buyerEmail !== null) issues.push(...emailIssues('buyer_email', buyerEmail));
  return {
    created: unlessEmpty(created),
    buyer: buyerEmail === null ? null : mailboxOf(buyerEmail),
  };
}

function parsePaymentFilter(filter: PaymentFilter) {
  const { cashFlowFrom, cashFlowTo } = filter;
  const issues: Issue[] = [];
  const sale = parseSaleFilter(filter, issues);
  const cashFlow = parseRange({ name: 'cash_flow', from: cashFlowFrom, to: cashFlowTo }, issues);
  if (issues.length > 0) throw validationFailed(issues);
  return { ...sale, cashFlow: unlessEmpty(cashFlow) };
}
