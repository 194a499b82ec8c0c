import { emailFaults } from '../endpoint/email.js';
import { type ErrorEntry, validationFailed } from '../errors.js';
import type { Read, Statement } from '../tx.js';
import {
  entryList,
  getEntry,
  listEntries,
  readPositions,
  readSpan,
  type Span,
} from './entry-list.js';
import { type InstantRange, readRange } from './instant-bound.js';
import {
  type NumberedPage,
  type NumberedRequest,
  paginationOf,
  skippedBy,
  soundRequest,
} from './numbered-page.js';
import { Payment, type PaymentStatus } from './payment.entity.js';

/** A payment as its account sees it. */
export interface PaymentView {
  readonly object: 'payment';
  readonly id: string;
  /** The id of the order that it paid. */
  readonly order: string;
  readonly status: PaymentStatus;
  readonly currency: string;
  readonly amountMinorUnits: number;
  readonly refundedMinorUnits: number;
  readonly feeMinorUnits: number;
  /** What the sale brought: the amount without the fee. Refunds are entries of their own. */
  readonly netMinorUnits: number;
  readonly method: string;
  readonly buyerEmail: string;
  /** When the sale was made. */
  readonly createdAt: Date;
  /** When the money is or will be booked to the balance; null while unknown. */
  readonly cashFlowAt: Date | null;
}

/** Which payments are wanted; everything that is given must hold. */
export interface PaymentFilter {
  /** A date or a date-time of RFC 3339, like the other ends; ends belong to the range. */
  readonly createdFrom?: string | null | undefined;
  readonly createdTo?: string | null | undefined;
  readonly cashFlowFrom?: string | null | undefined;
  readonly cashFlowTo?: string | null | undefined;
  /** The whole address; ASCII letters in any case. */
  readonly buyerEmail?: string | null | undefined;
}

const payments = entryList(Payment, 'pay', 'payment', 100);

/** The positions of what was made within a range: a later entry is never older (ledger.ts). */
const spanStatement: Statement = {
  name: 'payment-span',
  text: `
    select coalesce((select position from payment where account_id = $1 and created_at >= $2
                      order by created_at, position limit 1), 2147483647) as first,
           coalesce((select position from payment where account_id = $1 and created_at <= $3
                      order by created_at desc, position desc limit 1), 0) as last`,
};

/** A filter that no range of positions can express. */
interface Narrowing {
  /** Both read of one index as much as the filter matches, and no other rows. */
  readonly count: Statement;
  readonly page: Statement;
}

const buyer = 'lower(buyer_email collate "C")';
const ofBuyer = (value: string) =>
  `${buyer} between lower(${value}::text collate "C") and lower(${value}::text collate "C")`;

const byBuyer = narrowing('buyer', buyer, ofBuyer('$4'), 1);
const byCashFlow = narrowing('cash-flow', 'cash_flow_at', 'cash_flow_at between $4 and $5', 2);
const byBoth = narrowing('both', buyer, `${ofBuyer('$4')} and cash_flow_at between $5 and $6`, 3);

/**
 * Reads in the order of an index that begins with the account, the key and the position. A range even of
 * one value, and that order, leave no other: by equality and in any order, all indexes that begin with the
 * account would look alike while the table is empty.
 * @param values how many the condition has, from $4 on
 */
function narrowing(name: string, key: string, condition: string, values: number): Narrowing {
  const matching = `select position from payment
                     where account_id = $1 and position between $2 and $3 and ${condition}
                     order by ${key}, position`;
  return {
    count: { name: `payment-count-${name}`, text: `select count(*) as count from (${matching}) m` },
    page: {
      name: `payment-page-${name}`,
      // Materialized: with the limit in sight the planner would look for matches in the whole list.
      text: `with found as materialized (${matching})
             select position from found
              order by position desc offset $${values + 4} limit $${values + 5}`,
    },
  };
}

/**
 * A page of the account's payments that the filter matches, newest first.
 * @throws DomainError validation_failed
 */
export async function listPayments(
  read: Read,
  account: string,
  wanted: NumberedRequest,
  filter: PaymentFilter,
): Promise<NumberedPage<PaymentView>> {
  const { data, pagination } = await filtered(read, account, wanted, filter);
  return { data: data.map(paymentView), pagination };
}

/** @throws DomainError not_found */
export async function getPayment(read: Read, account: string, id: string): Promise<PaymentView> {
  return paymentView(await getEntry(read, account, payments, id));
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

type Position = Pick<Payment, 'position'>;

async function filtered(
  read: Read,
  account: string,
  wanted: NumberedRequest,
  filter: PaymentFilter,
): Promise<NumberedPage<Payment>> {
  const { created, cashFlow, buyerEmail } = readFilter(filter);
  const request = soundRequest(wanted, payments.largestPage);
  if (!created && !cashFlow && buyerEmail === null) {
    return listEntries(read, account, payments, request);
  }
  const span = await spanOf(read, account, created);
  if (!cashFlow && buyerEmail === null) return readSpan(read, account, payments, span, request);
  const { count, page } = buyerEmail === null ? byCashFlow : cashFlow ? byBoth : byBuyer;
  const values = [
    ...[account, span.first, span.last],
    ...(buyerEmail === null ? [] : [buyerEmail]),
    ...(cashFlow ? boundsOf(cashFlow) : []),
  ];
  const [row] = await read.sql<{ count: number }>(count, values);
  const pagination = paginationOf(request, row?.count ?? 0);
  const { perPage } = pagination;
  const found = await read.sql<Position>(page, [...values, skippedBy(pagination), perPage]);
  const positions = found.map(({ position }) => position);
  return { data: await readPositions(read, account, payments, positions), pagination };
}

async function spanOf(
  read: Read,
  account: string,
  created: InstantRange | undefined,
): Promise<Span> {
  const [span] = await read.sql<Span>(spanStatement, [account, ...boundsOf(created)]);
  return span ?? { first: 1, last: 0 };
}

/** As PostgreSQL reads them; an end that was not given lies beyond everything. */
function boundsOf(range: InstantRange | undefined): [Date | string, Date | string] {
  return [range?.from ?? '-infinity', range?.to ?? 'infinity'];
}

interface SoundFilter {
  readonly created: InstantRange | undefined;
  readonly cashFlow: InstantRange | undefined;
  readonly buyerEmail: string | null;
}

function readFilter(filter: PaymentFilter): SoundFilter {
  const { createdFrom, createdTo, cashFlowFrom, cashFlowTo, buyerEmail = null } = filter;
  const faults: ErrorEntry[] = [];
  const created = readRange({ name: 'created', from: createdFrom, to: createdTo }, faults);
  const cashFlow = readRange({ name: 'cash_flow', from: cashFlowFrom, to: cashFlowTo }, faults);
  if (buyerEmail !== null) faults.push(...emailFaults('buyer_email', buyerEmail));
  if (faults.length > 0) throw validationFailed(faults);
  return { created: given(created), cashFlow: given(cashFlow), buyerEmail };
}

function given(range: InstantRange): InstantRange | undefined {
  return (range.from ?? range.to) ? range : undefined;
}
