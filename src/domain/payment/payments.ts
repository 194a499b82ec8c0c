// The list of payments, and the search of the other entries of the ledger by their buyer.
//
// Orders and invoices hold the address of their buyer in JSON, and refunds hold none. So the payments of a
// buyer lead to all of them, and addresses are compared in one place.
import type { ObjectLiteral } from 'typeorm';
import { type DateRange, parseRange, unlessEmpty } from '../commerce/date-range.js';
import {
  clampPageSize,
  type EntryList,
  entryList,
  type FilterSql,
  filterSql,
  type NumberedPage,
  type NumberedRequest,
  positionsWithin,
  readEntries,
  readMatching,
  readRange,
  sqlBounds,
} from '../commerce/entry-list.js';
import { type Issue, validationFailed } from '../errors.js';
import type { Read } from '../transaction/tx.js';
import { emailIssues, mailboxIn, mailboxOf } from '../values/email.js';
import { textIssues } from '../values/text.js';
import { Payment } from './ledger.entity.js';

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
function isOfBuyer(value: string): string {
  return `${buyerKey} between ${value}::text and ${value}::text`;
}

/** In SQL: the payments of account `$1` and of the buyer whose address the parameter `value` holds. */
function paymentsOfBuyer(columns: string, value: string): string {
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
interface ParsedSaleFilter {
  readonly created: DateRange | undefined;
  /** The address as {@link isOfBuyer} compares it; null for all buyers. */
  readonly buyer: string | null;
}

/** Reads a filter and adds its problems to `issues`. */
function parseSaleFilter(filter: SaleFilter, issues: Issue[]): ParsedSaleFilter {
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

/** Filters a list of orders, refunds or invoices; all given conditions must hold. */
export interface EntryFilter extends SaleFilter {
  /** Of an invoice or a credit note, such as "INV-000001"; the case of ASCII letters does not matter. */
  readonly number?: string | null | undefined;
}

/** In SQL: the positions of the entries that belong to a row `s`. */
interface EntriesOfSale {
  /** `s` is a payment, with `id` and `order_id`. */
  readonly ofPayment: string;
  /** `s` is an invoice or a credit note, with `position`, `order_id`, `payment_id` and `refund_id`. */
  readonly ofDocument: string;
}

/** A list that can be searched by buyer and by the number of an invoice or a credit note. */
interface SearchableList<Entry, View = unknown> extends EntryList<Entry, View> {
  readonly byBuyer: FilterSql;
  readonly byNumber: FilterSql;
}

/**
 * Makes a list searchable by buyer and by the number of an invoice or a credit note.
 */
export function searchable<Entry, View>(
  list: EntryList<Entry, View>,
  { ofPayment, ofDocument }: EntriesOfSale,
): SearchableList<Entry, View> {
  // `offset 0` makes PostgreSQL look up the entries of one sale after the other.
  const byBuyer = `
    select e.position
      from (${paymentsOfBuyer('id, order_id', '$4')}) s
     cross join lateral (${ofPayment} offset 0) e
     where e.position between $2 and $3`;

  // The range and the order leave the planner no other index than that of the numbers.
  const byNumber = `
    select e.position
      from (select position, order_id, payment_id, refund_id from invoice
             where account_id = $1 and number between $4 and $4
             order by number limit 1) s
     cross join lateral (${ofDocument} offset 0) e
     where e.position between $2 and $3
       and ($5::text is null
            or exists (select from payment where id = s.payment_id and ${isOfBuyer('$5')}))`;

  return {
    ...list,
    byBuyer: filterSql(list.noun, 'buyer', byBuyer, 4),
    byNumber: filterSql(list.noun, 'number', byNumber, 5),
  };
}

/**
 * Returns a page of the account's entries that match the filter, newest first and as the account sees them.
 * @throws DomainError validation_failed
 */
export async function searchEntries<Entry extends ObjectLiteral, View>(
  read: Read,
  account: string,
  list: SearchableList<Entry, View>,
  requested: NumberedRequest,
  filter: EntryFilter,
): Promise<NumberedPage<View>> {
  const { data, pagination } = await findEntries(read, account, list, requested, filter);
  return { data: data.map(await list.viewFor(read)), pagination };
}

async function findEntries<Entry extends ObjectLiteral>(
  read: Read,
  account: string,
  list: SearchableList<Entry>,
  requested: NumberedRequest,
  filter: EntryFilter,
): Promise<NumberedPage<Entry>> {
  const { created, buyer, number } = parseFilter(filter);
  const request = clampPageSize(requested, list.maxPageSize);

  if (!created && buyer === null && number === null) {
    return readEntries(read, account, list, request);
  }

  const range = await positionsWithin(read, account, list, created);

  if (buyer === null && number === null) {
    return readRange(read, account, list, range, request);
  }

  const values = [account, range.first, range.last];

  return number === null
    ? readMatching(read, list, list.byBuyer, [...values, buyer], request)
    : readMatching(read, list, list.byNumber, [...values, number, buyer], request);
}

function parseFilter(filter: EntryFilter) {
  const { number = null } = filter;
  const issues: Issue[] = [];
  const sale = parseSaleFilter(filter, issues);
  if (number !== null) issues.push(...textIssues('number', number, { min: 1, max: 100 }));
  if (issues.length > 0) throw validationFailed(issues);
  return { ...sale, number: number?.replace(/[a-z]+/g, (text) => text.toUpperCase()) ?? null };
}
