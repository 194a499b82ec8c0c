import type { Read } from '../tx.js';
import { entryList, getEntry, listEntries } from './entry-list.js';
import type { NumberedPage, NumberedRequest } from './numbered-page.js';
import { Refund, type RefundReason, type RefundStatus } from './refund.entity.js';

/** A refund as its account sees it. */
export interface RefundView {
  readonly object: 'refund';
  readonly id: string;
  /** The id of the refunded payment. */
  readonly payment: string;
  readonly order: string;
  readonly status: RefundStatus;
  readonly currency: string;
  readonly amountMinorUnits: number;
  readonly reason: RefundReason | null;
  readonly note: string | null;
  readonly createdAt: Date;
  /** When the money is taken from the balance; null until it is. */
  readonly cashFlowAt: Date | null;
}

const refunds = entryList(Refund, 'rfd', 'refund');

/**
 * Returns a page of the account's refunds, newest first.
 * @throws DomainError validation_failed
 */
export async function listRefunds(
  read: Read,
  account: string,
  request: NumberedRequest,
): Promise<NumberedPage<RefundView>> {
  const { data, pagination } = await listEntries(read, account, refunds, request);
  return { data: data.map(refundView), pagination };
}

/** @throws DomainError not_found */
export async function getRefund(read: Read, account: string, id: string): Promise<RefundView> {
  return refundView(await getEntry(read, account, refunds, id));
}

/** Shows a refund as its account sees it. */
export function refundView(refund: Refund): RefundView {
  const { id, status, currency, amountMinorUnits, reason, note, createdAt, cashFlowAt } = refund;
  return {
    object: 'refund',
    payment: refund.paymentId,
    order: refund.orderId,
    ...{ id, status, currency, amountMinorUnits, reason, note, createdAt, cashFlowAt },
  };
}
