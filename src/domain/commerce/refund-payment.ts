import { DomainError, notFound, validationFailed } from '../errors.js';
import { publishEvent } from '../event/publish.js';
import { isId } from '../id.js';
import type { Statement, Tx } from '../tx.js';
import { creditNoteIssuedData, refundCreatedData } from './event-data.js';
import { Invoice } from './invoice.entity.js';
import { holdLedger, nextEntry } from './ledger.js';
import type { Payment } from './payment.entity.js';
import { creditNoteOf, type HeldPayment, refundOf } from './refund-entries.js';
import { refundFaults, type RefundInput } from './refund-input.js';
import { Refund } from './refund.entity.js';
import { shareOf } from './share-of.js';
import type { Totals } from './totals.entity.js';

/** A refund, and the credit note that documents it. */
export interface MadeRefund {
  readonly refund: Refund;
  readonly creditNote: Invoice;
}

// Refunds of one payment queue here: each sees what the one before it left.
// The account is compared as no index has it, or the planner might read all of its payments.
const hold: Statement = {
  name: 'payment-hold',
  text: `
    select id, order_id as "orderId", status, currency, amount_minor_units as "amountMinorUnits",
           refunded_minor_units as "refundedMinorUnits"
      from payment where id = $1 and account_id || '' = $2 for no key update`,
};

const giveBack: Statement = {
  name: 'payment-refund',
  text: `
    update payment set refunded_minor_units = refunded_minor_units + $2,
           status = case when refunded_minor_units + $2 = amount_minor_units
                         then 'refunded' else 'partially_refunded' end
     where id = $1
    returning status, refunded_minor_units as "refundedMinorUnits"`,
};

const billedLeft: Statement = {
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

const nextCreditNote: Statement = {
  name: 'account-next-credit-note',
  text: `update account set credit_note_count = credit_note_count + 1 where id = $1
         returning credit_note_count as count`,
};

/**
 * Gives money of a payment back, in full or in part, and issues a credit note: with the events
 * `payment.refund.created` and `invoice.credit_note.issued`, all or nothing. However many ask at
 * once, together they get no more than was paid.
 * @throws DomainError not_found; validation_failed, also for more than is left;
 *   payment_not_refundable when nothing is left or the payment was charged back
 */
export async function refundPayment(
  tx: Tx,
  account: string,
  id: string,
  input: RefundInput,
): Promise<MadeRefund> {
  const [payment] = isId('pay', id) ? await tx.sql<HeldPayment>(hold, [id, account]) : [];
  if (!payment) throw notFound('payment');
  const faults = refundFaults(input);
  if (faults.length > 0) throw validationFailed(faults);
  const amount = refundable(payment, input.amountMinorUnits ?? undefined);

  await holdLedger(tx, account);
  const entry = await nextEntry(tx, account);
  const refund = refundOf(account, entry, payment, amount, input);
  const [left] = await tx.sql<Totals>(billedLeft, [payment.id]);
  if (!left) throw new Error(`no invoice bills the payment ${payment.id}`);
  const [counted] = await tx.sql<{ count: number }>(nextCreditNote, [account]);
  const bought = await tx.manager.findOneByOrFail(Invoice, {
    paymentId: payment.id,
    type: 'invoice',
  });
  const creditNote = creditNoteOf(
    entry,
    refund,
    bought,
    counted?.count ?? 0,
    shareOf(left, amount),
  );
  await tx.manager.insert<object>(Refund, refund);
  await tx.manager.insert<object>(Invoice, creditNote);
  const [after] = await tx.sql<Pick<Payment, 'status' | 'refundedMinorUnits'>>(giveBack, [
    payment.id,
    amount,
  ]);
  await publishAll(tx, { ...payment, ...after }, refund, creditNote);
  return { refund, creditNote };
}

/** How much is given back: what was asked for, or everything that is left. */
function refundable(payment: HeldPayment, asked: number | undefined): number {
  const { status, amountMinorUnits, refundedMinorUnits, currency } = payment;
  const left = amountMinorUnits - refundedMinorUnits;
  if (status === 'charged_back') throw notRefundable('The payment was charged back.');
  if (left === 0) throw notRefundable('The payment is already refunded in full.');
  if (asked === undefined || asked <= left) return asked ?? left;
  const detail = `Must be at most ${left}, the refundable rest in minor units of ${currency}.`;
  const param = 'amount_minor_units';
  throw validationFailed([{ code: 'amount_exceeds_refundable', detail, param }]);
}

function notRefundable(detail: string): DomainError {
  return new DomainError('payment_not_refundable', detail);
}

async function publishAll(
  tx: Tx,
  payment: HeldPayment,
  refund: Refund,
  creditNote: Invoice,
): Promise<void> {
  await publishEvent(tx, refund.accountId, {
    type: 'payment.refund.created',
    subject: `refund:${refund.id}`,
    data: refundCreatedData(refund, payment, creditNote.buyer),
  });
  await publishEvent(tx, refund.accountId, {
    type: 'invoice.credit_note.issued',
    subject: `invoice:${creditNote.id}`,
    data: creditNoteIssuedData(creditNote),
  });
}
