import { emailIssues, mailboxIn, mailboxOf } from '../email.js';
import { type Issue, validationFailed } from '../errors.js';
import type { Read, Statement } from '../tx.js';
import {
  entryList,
  type PositionRange,
  readEntries,
  readPositions,
  readRange,
} from './entry-list.js';
import { type DateRange, parseRange } from './date-range.js';
import {
  type NumberedPage,
  type NumberedRequest,
  paginationOf,
  offsetOf,
  clampPageSize,
} from './numbered-page.js';
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

/** Filters a list of payments; all given conditions must hold. */
export interface PaymentFilter {
  /** A date or a date-time of RFC 3339, like the other ends. A range includes its ends. */
  readonly createdFrom?: string | null | undefined;
  readonly createdTo?: string | null | undefined;
  readonly cashFlowFrom?: string | null | undefined;
  readonly cashFlowTo?: string | null | undefined;
  /** The whole address, in any spelling that `mailboxOf` takes for the same. */
  readonly buyerEmail?: string | null | undefined;
}

/** The payments of an account. */
export const payments = entryList(Payment, 'pay', 'payment', () => paymentView, 100);

/** Selects the positions of the payments made within a range: a later entry is never older (ledger.ts). */
const rangeStatement: Statement = {
  name: 'payment-span',
  text: `
    select coalesce((select position from payment where account_id = $1 and created_at >= $2
                      order by created_at, position limit 1), 2147483647) as first,
           coalesce((select position from payment where account_id = $1 and created_at <= $3
                      order by created_at desc, position desc limit 1), 0) as last`,
};

/** The statements of a filter that no range of positions can express. */
interface FilterSql {
  /** Both statements read only the matching entries of one index, and no other rows. */
  readonly count: Statement;
  readonly page: Statement;
}

const buyer = mailboxIn('buyer_email');
const buyerIs = (value: string) => `${buyer} between ${value}::text and ${value}::text`;

const byBuyer = filterSql('buyer', buyer, buyerIs('$4'), 1);
const byCashFlow = filterSql('cash-flow', 'cash_flow_at', 'cash_flow_at between $4 and $5', 2);
const byBoth = filterSql('both', buyer, `${buyerIs('$4')} and cash_flow_at between $5 and $6`, 3);

/**
 * Reads in the order of an index that begins with the account, the key and the position. The planner can use
 * no other index because of this order, and because the condition is a range, even of one value. With an
 * equality and no order, all indexes that begin with the account look alike while the table is empty.
 * @param values how many values the condition has, from $4 on
 */
function filterSql(name: string, key: string, condition: string, values: number): FilterSql {
  const matching = `select position from payment
                     where account_id = $1 and position between $2 and $3 and ${condition}
                     order by ${key}, position`;
  return {
    count: { name: `payment-count-${name}`, text: `select count(*) as count from (${matching}) m` },
    page: {
      name: `payment-page-${name}`,
      // Materialized, or the planner would see the limit and search the whole list for matches.
      text: `with found as materialized (${matching})
             select position from found
              order by position desc offset $${values + 4} limit $${values + 5}`,
    },
  };
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
    ...{ id, status, currency, amountMinorUnits, refundedMinorUnits, feeMinorUnits },
    ...{ netMinorUnits, method, buyerEmail, createdAt, cashFlowAt },
  };
}

type PositionRow = Pick<Payment, 'position'>;

async function listFiltered(
  read: Read,
  account: string,
  requested: NumberedRequest,
  filter: PaymentFilter,
): Promise<NumberedPage<Payment>> {
  const { created, cashFlow, buyerEmail } = parseFilter(filter);
  const request = clampPageSize(requested, payments.maxPageSize);
  if (!created && !cashFlow && buyerEmail === null) {
    return readEntries(read, account, payments, request);
  }
  const range = await rangeOf(read, account, created);
  if (!cashFlow && buyerEmail === null) return readRange(read, account, payments, range, request);
  const { count, page } = buyerEmail === null ? byCashFlow : cashFlow ? byBoth : byBuyer;
  const values = [
    ...[account, range.first, range.last],
    ...(buyerEmail === null ? [] : [mailboxOf(buyerEmail)]),
    ...(cashFlow ? sqlBounds(cashFlow) : []),
  ];
  const [row] = await read.sql<{ count: number }>(count, values);
  const pagination = paginationOf(request, row?.count ?? 0);
  const { perPage } = pagination;
  const rows = await read.sql<PositionRow>(page, [...values, offsetOf(pagination), perPage]);
  const positions = rows.map(({ position }) => position);
  return { data: await readPositions(read, account, payments, positions), pagination };
}

async function rangeOf(
  read: Read,
  account: string,
  created: DateRange | undefined,
): Promise<PositionRange> {
  const [range] = await read.sql<PositionRange>(rangeStatement, [account, ...sqlBounds(created)]);
  return range ?? { first: 1, last: 0 };
}

/** Returns the ends as PostgreSQL reads them; a missing end is infinite. */
function sqlBounds(range: DateRange | undefined): [Date | string, Date | string] {
  return [range?.from ?? '-infinity', range?.to ?? 'infinity'];
}

interface ParsedFilter {
  readonly created: DateRange | undefined;
  readonly cashFlow: DateRange | undefined;
  readonly buyerEmail: string | null;
}

function parseFilter(filter: PaymentFilter): ParsedFilter {
  const { createdFrom, createdTo, cashFlowFrom, cashFlowTo, buyerEmail = null } = filter;
  const issues: Issue[] = [];
  const created = parseRange({ name: 'created', from: createdFrom, to: createdTo }, issues);
  const cashFlow = parseRange({ name: 'cash_flow', from: cashFlowFrom, to: cashFlowTo }, issues);
  if (buyerEmail !== null) issues.push(...emailIssues('buyer_email', buyerEmail));
  if (issues.length > 0) throw validationFailed(issues);
  return { created: unlessEmpty(created), cashFlow: unlessEmpty(cashFlow), buyerEmail };
}

function unlessEmpty(range: DateRange): DateRange | undefined {
  return (range.from ?? range.to) ? range : undefined;
}
