import { recordChange } from '../audit/audit-log.js';
import { entryList } from '../commerce/entry-list.js';
import { lockLedger, type NextLedgerEntry, nextLedgerEntry } from '../commerce/ledger.js';
import { prorate, type Totals } from '../commerce/line-items.js';
import { DomainError, type Issue, validationFailed } from '../errors.js';
import { publishEvent } from '../event/publish.js';
import { rowById, singleRow } from '../transaction/rows.js';
import type { Statement, Tx } from '../transaction/tx.js';
import { entityOf } from '../transaction/typeorm.js';
import { makeId } from '../values/id.js';
import { textIssues } from '../values/text.js';
import {
  Invoice,
  type Payment,
  Refund,
  type RefundReason,
  refundReasons,
} from './ledger.entity.js';
import { searchable } from './payments.js';
import { refundEvents } from './sale-events.js';

/** A refund as its account sees it. */
export interface RefundView extends Omit<
  Refund,
  'accountId' | 'position' | 'paymentId' | 'orderId'
> {
  readonly object: 'refund';
  /** The id of the refunded payment. */
  readonly payment: string;
  readonly order: string;
}

/** The refunds of an account. */
export const refunds = searchable(
  entryList(Refund, 'rfd', 'refund', () => refundView),
  {
    ofPayment: 'select position from refund where payment_id = s.id',
    // An invoice matches all refunds of its payment, a credit note only its own.
    ofDocument: `
      select position from refund where id = s.refund_id
       union all
      select position from refund where payment_id = s.payment_id and s.refund_id is null`,
  },
);

/** Shows a refund as its account sees it. */
export function refundView(refund: Refund): RefundView {
  const { id, status, currency, amountMinorUnits, reason, note, createdAt, cashFlowAt } = refund;
  return {
    object: 'refund',
    payment: refund.paymentId,
    order: refund.orderId,
    id,
    status,
    currency,
    amountMinorUnits,
    reason,
    note,
    createdAt,
    cashFlowAt,
  };
}

/** The input of a refund. */
export interface RefundInput {
  /** In minor units of the payment's currency, at least 1. Defaults to all that is left to refund. */
  readonly amountMinorUnits?: number | null | undefined;
  readonly reason?: RefundReason | null | undefined;
  /** At most 500 characters. */
  readonly note?: string | null | undefined;
  /** What the caller saw as refunded. If it differs by now, nothing is refunded. */
  readonly refundedMinorUnits?: number | null | undefined;
}

/** A refund, and the credit note that documents it. */
interface RefundResult {
  readonly refund: Refund;
  readonly creditNote: Invoice;
}

// Refunds of one payment queue here, so each sees what the previous one left.
// No index has this expression of the account. With the plain column the planner might read all payments of
// the account.
const lockStatement: Statement = {
  name: 'payment-lock',
  text: `
    select id, order_id as "orderId", status, currency, amount_minor_units as "amountMinorUnits",
           refunded_minor_units as "refundedMinorUnits"
      from payment where id = $1 and account_id || '' = $2 for no key update`,
};

const addRefundStatement: Statement = {
  name: 'payment-refund',
  text: `
    update payment set refunded_minor_units = refunded_minor_units + $2,
           status = case when refunded_minor_units + $2 = amount_minor_units
                         then 'refunded' else 'partially_refunded' end
     where id = $1
    returning status, refunded_minor_units as "refundedMinorUnits"`,
};

const remainingTotalsStatement: Statement = {
  name: 'invoice-left',
  text: `
    select currency, ${['subtotal', 'discount', 'shipping', 'tax', 'total']
      .map(
        (part) => `sum(case type when 'invoice' then ${part}_minor_units
                            else -${part}_minor_units end)::bigint as "${part}MinorUnits"`,
      )
      .join(', ')}
      from invoice where payment_id = $1 group by currency`,
};

const nextCreditNoteNumber: Statement = {
  name: 'account-next-credit-note',
  text: `update account set credit_note_count = credit_note_count + 1 where id = $1
         returning credit_note_count as count`,
};

/**
 * Refunds a payment in full or in part and issues a credit note. In the same transaction it publishes
 * `payment.refund.created` and `invoice.credit_note.issued`. Concurrent refunds together never exceed the
 * amount paid.
 * @throws DomainError not_found; validation_failed, also for more than is left to refund;
 *   payment_not_refundable when nothing is left to refund, the order was free, or the payment was charged
 *   back; state_conflict when the payment was refunded since the caller looked
 */
export async function refundPayment(
  tx: Tx,
  account: string,
  id: string,
  input: RefundInput,
): Promise<RefundResult> {
  const payment = await rowById<LockedPayment>(tx, 'pay', lockStatement, [id, account]);
  const issues = refundIssues(input);
  if (issues.length > 0) throw validationFailed(issues);

  requireUnchanged(payment, input.refundedMinorUnits);

  const amount = refundAmount(payment, input.amountMinorUnits ?? undefined);

  await lockLedger(tx, account);

  const entry = await nextLedgerEntry(tx, account);
  const refund = buildRefund(account, entry, payment, amount, input);
  const remaining = await singleRow<Totals>(tx, remainingTotalsStatement, [payment.id]);
  const { count } = await singleRow<{ count: number }>(tx, nextCreditNoteNumber, [account]);
  const originalInvoice = await tx.manager.findOneByOrFail(Invoice, {
    paymentId: payment.id,
    type: 'invoice',
  });

  const totals = prorate(remaining, amount);
  const creditNote = buildCreditNote(entry, refund, originalInvoice, count, totals);

  await tx.manager.insert<object>(Refund, refund);
  await tx.manager.insert<object>(Invoice, creditNote);

  type Updated = Pick<Payment, 'status' | 'refundedMinorUnits'>;

  const updated = await singleRow<Updated>(tx, addRefundStatement, [payment.id, amount]);

  for (const event of refundEvents({ ...payment, ...updated }, refund, creditNote)) {
    await publishEvent(tx, account, event);
  }

  const changes = [{ field: 'amount_minor_units', to: `${amount} ${payment.currency}` }];
  recordChange(tx, { action: 'payment_refunded', account, resource: id, changes });

  return { refund, creditNote };
}

/** Refuses when the payment was refunded since the caller looked, also by this very request. */
function requireUnchanged(payment: LockedPayment, seen: number | null | undefined): void {
  if (seen == null || seen === payment.refundedMinorUnits) return;
  const detail =
    'The payment has been refunded since you read it. Check the remaining amount, then try again.';
  throw new DomainError('state_conflict', detail);
}

/** Returns the amount to refund: the requested one, or all that is left. */
function refundAmount(payment: LockedPayment, requested: number | undefined): number {
  const { status, amountMinorUnits, refundedMinorUnits, currency } = payment;
  const remaining = amountMinorUnits - refundedMinorUnits;
  if (status === 'charged_back') throw notRefundable('The payment was charged back.');
  if (amountMinorUnits === 0) {
    throw notRefundable('The order was free, so there is nothing to refund.');
  }
  if (remaining === 0) throw notRefundable('The payment is already refunded in full.');
  if (requested === undefined || requested <= remaining) return requested ?? remaining;
  const detail = `Must be at most ${remaining}, the remaining amount in minor units of ${currency}.`;
  const param = 'amount_minor_units';
  throw validationFailed([{ code: 'amount_exceeds_refundable', detail, param }]);
}

function notRefundable(detail: string): DomainError {
  return new DomainError('payment_not_refundable', detail);
}

/** The fields that a refund reads of the payment it has locked. */
export type LockedPayment = Pick<
  Payment,
  'id' | 'orderId' | 'status' | 'currency' | 'amountMinorUnits' | 'refundedMinorUnits'
>;

/** Builds the refund of `amountMinorUnits` of a payment, at the ledger's next position. */
export function buildRefund(
  accountId: string,
  entry: NextLedgerEntry,
  payment: LockedPayment,
  amountMinorUnits: number,
  { reason, note }: RefundInput,
): Refund {
  return entityOf(Refund, {
    id: makeId('rfd', entry.at),
    accountId,
    position: entry.refund,
    paymentId: payment.id,
    orderId: payment.orderId,
    status: 'succeeded',
    currency: payment.currency,
    amountMinorUnits,
    reason: reason ?? null,
    note: note ?? null,
    createdAt: entry.at,
    cashFlowAt: entry.at,
  });
}

/**
 * Builds the credit note that documents a refund, for the buyer of the invoice.
 * @param count the number of the credit note
 */
export function buildCreditNote(
  entry: NextLedgerEntry,
  { accountId, id, paymentId, orderId }: Refund,
  { buyer }: Invoice,
  count: number,
  totals: Totals,
): Invoice {
  return entityOf(Invoice, {
    id: makeId('inv', entry.at),
    accountId,
    position: entry.invoice,
    number: `CN-${String(count).padStart(6, '0')}`,
    type: 'credit_note',
    orderId,
    paymentId,
    buyer,
    totals,
    refundId: id,
    issuedAt: entry.at,
    createdAt: entry.at,
  });
}

const maxNoteLength = 500;

/** Validates the input of a refund as far as it does not depend on the payment. */
function refundIssues({ amountMinorUnits, reason, note }: RefundInput): Issue[] {
  const issues: Issue[] = [];

  if (
    amountMinorUnits != null &&
    !(Number.isSafeInteger(amountMinorUnits) && amountMinorUnits > 0)
  ) {
    const detail = 'Must be an integer of at least 1.';
    issues.push({ code: 'out_of_range', detail, param: 'amount_minor_units' });
  }

  if (reason != null && !refundReasons.includes(reason)) {
    const detail = `Must be one of: ${refundReasons.join(', ')}.`;
    issues.push({ code: 'invalid_value', detail, param: 'reason' });
  }

  return [...issues, ...textIssues('note', note ?? '', { max: maxNoteLength })];
}
