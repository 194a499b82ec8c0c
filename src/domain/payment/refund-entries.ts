import { creditNoteIssuedData, refundCreatedData } from '../checkout/event-data.js';
import { entityOf } from '../entity-of.js';
import type { PublishInput } from '../event/prepare-event.js';
import { makeId } from '../id.js';
import { Invoice } from '../commerce/invoice.entity.js';
import type { NextLedgerEntry } from '../commerce/ledger.js';
import type { Payment } from '../commerce/payment.entity.js';
import type { RefundInput } from './refund-input.js';
import { Refund } from '../commerce/refund.entity.js';
import type { Totals } from '../commerce/totals.entity.js';

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

/** The events of a refund, in the order in which they are published. */
export function refundEvents(
  payment: LockedPayment,
  refund: Refund,
  creditNote: Invoice,
): readonly PublishInput[] {
  return [
    {
      type: 'payment.refund.created',
      subject: `refund:${refund.id}`,
      data: refundCreatedData(refund, payment, creditNote.buyer),
    },
    {
      type: 'invoice.credit_note.issued',
      subject: `invoice:${creditNote.id}`,
      data: creditNoteIssuedData(creditNote),
    },
  ];
}
