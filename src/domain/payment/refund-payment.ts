import { recordChange } from '../audit/record-change.js';
import { DomainError, validationFailed } from '../errors.js';
import { publishEvent } from '../event/publish.js';
import { rowById, singleRow } from '../rows.js';
import type { Statement, Tx } from '../tx.js';
import { Invoice } from '../commerce/invoice.entity.js';
import { lockLedger, nextLedgerEntry } from '../commerce/ledger.js';
import type { Payment } from '../commerce/payment.entity.js';
import {
  buildCreditNote,
  buildRefund,
  type LockedPayment,
  refundEvents,
} from './refund-entries.js';
import { refundIssues, type RefundInput } from './refund-input.js';
import { Refund } from '../commerce/refund.entity.js';
import { prorate } from '../commerce/prorate.js';
import type { Totals } from '../commerce/totals.entity.js';

/** A refund, and the credit note that documents it. */
export interface RefundResult {
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
  const detail = 'The payment was refunded since you looked. See what is left, then decide again.';
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
  const detail = `Must be at most ${remaining}, what is left to refund in minor units of ${currency}.`;
  const param = 'amount_minor_units';
  throw validationFailed([{ code: 'amount_exceeds_refundable', detail, param }]);
}

function notRefundable(detail: string): DomainError {
  return new DomainError('payment_not_refundable', detail);
}
